/** Composition root of an inference thread: makes imaging, networks and engines, and names the tasks of the pool. */
import { workerData } from "node:worker_threads";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { makeImaging } from "./imaging/imaging.ts";
import { makeInspectImage } from "./imaging/inspect-image.ts";
import { defaultImagingLimits } from "./imaging/limits.ts";
import { ledger } from "./inference/ledger.ts";
import { modelNames } from "./inference/model.ts";
import { openNetworks } from "./inference/networks.ts";
import { serveTasks } from "./inference/serve-tasks.ts";

const workerOptions = Compile(
  Type.Object({
    imageBytesMax: Type.Integer({ minimum: 1 }),
    imagePixelsMax: Type.Integer({ minimum: 1 }),
  }),
);

const { imageBytesMax, imagePixelsMax } = workerOptions.Parse(workerData);
const imaging = makeImaging({
  limits: { ...defaultImagingLimits, bytesMax: imageBytesMax, pixelsMax: imagePixelsMax },
});
const { takeTimings, warmUp } = openNetworks(ledger);

const tasks = {
  inspectImage: makeInspectImage(imaging),
};

/** What `pool.run` takes and gives, by name of the task. */
export type WorkerTasks = typeof tasks;

/** The pool waits for this promise before it counts the thread as ready. */
export const runTask = warmUp(modelNames.filter((name) => name !== "mrz-line")).then(() =>
  serveTasks(tasks, takeTimings),
);
