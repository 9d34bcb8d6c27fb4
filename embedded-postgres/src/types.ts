export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface EmbeddedPostgres {
  /** For `pg`; the host is the folder of the server's socket. */
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  /** Whether the server was started here, or joined as the guest of whoever did. */
  how: 'started' | 'joined'
  /** Bounded to about three seconds. A guest leaves a server alone that others use. */
  stop(): Promise<void>
}

export interface Options {
  /** The database lives in its folder `db`. */
  dataDir: string
  /** The service owns the server; a command is a guest on it, and starts one for its own duration if there is none. */
  role: 'owner' | 'guest'
  log: Log
}
