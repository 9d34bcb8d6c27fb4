const report = console.error

/** web3.js reports every attempt to reconnect to a chain that an earlier test has closed. */
function errorWithoutReconnects(...parts: unknown[]): void {
  if (parts[0] !== 'ws error:') report(...parts)
}

// Runs once for each test file, in a process that runs many.
if (report.name !== errorWithoutReconnects.name) console.error = errorWithoutReconnects
