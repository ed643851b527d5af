import { describeReasons } from "../../testing/describe-reasons.ts";
import { drawnReadingsFile } from "../../testing/drawn-readings.ts";
import { readRecorded } from "../../testing/recorded-readings.ts";

const { readings } = readRecorded(drawnReadingsFile);

/** Readings that were recorded: from-images.engine.test.ts draws and reads images. */
describeReasons(
  () => true,
  async (images) => readings.get(images)!,
);
