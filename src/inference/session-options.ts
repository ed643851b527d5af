import type { InferenceSession } from "onnxruntime-node";

/**
 * One thread a session: cores are filled by requests, a second thread gains 1.4 times at best and loses under load
 * (measured). No arena: its chunks are never given back, and blocks of this size come from mmap as fast.
 */
export const sessionOptions: InferenceSession.SessionOptions = {
  executionProviders: ["cpu"],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  enableCpuMemArena: false,
  enableMemPattern: true,
  logSeverityLevel: 3,
};
