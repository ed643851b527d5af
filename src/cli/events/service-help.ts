/** Help of the options of every command that calls a running service. */
export const serviceHelp = `  --url      base address of the service; default http://127.0.0.1 with IDEM_PORT
  --key-from environment variable with an API key of the test environment and the scope webhook; default: the development key
             of the data directory`;
