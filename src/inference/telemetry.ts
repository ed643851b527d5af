/**
 * Switches off the telemetry of ONNX Runtime, which since 1.29 sends events to its maker on Linux and macOS (its pull
 * request 27379) and keeps a device id. Call it on the main thread before the library is loaded: it reads the
 * variable of the process once, and what a worker thread writes to its own copy never gets there.
 */
export const refuseTelemetry = (): void => {
  process.env.ORT_DISABLE_TELEMETRY = "1";
};
