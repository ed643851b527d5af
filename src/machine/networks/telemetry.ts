/**
 * Switches off the telemetry of ONNX Runtime, which since 1.29 sends events to its vendor on Linux and macOS
 * (its pull request 27379) and stores a device id. Call it on the main thread before the library is loaded:
 * the library reads the process's variable once, and a worker thread writes only to its own copy.
 */
export const refuseTelemetry = (): void => {
  process.env.ORT_DISABLE_TELEMETRY = "1";
};
