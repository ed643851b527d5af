/**
 * Node's HTTP clients and server, and its names of statuses. An import statement would read every name of
 * `node:http`, also WebSocket, and so load the client of `fetch`: 30 ms of processor time for each thread.
 */
export const {
  createServer,
  request: requestPlain,
  Agent: PlainAgent,
  STATUS_CODES,
} = process.getBuiltinModule("node:http");
export const { request: requestSecure, Agent: SecureAgent } = process.getBuiltinModule("node:https");
