const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i

/** Whether a host without its port is this machine. An IPv6 address may be in brackets. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)
