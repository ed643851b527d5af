import { describeReasons } from "#support/document/describe-reasons";
import { drawnReadingsFile } from "#support/document/drawn-readings";
import { readRecorded } from "#support/document/recorded-readings";

const { readings } = readRecorded(drawnReadingsFile);

/** Readings that were recorded: from-images.engine.test.ts draws and reads images. */
describeReasons(
  () => true,
  async (images) => readings.get(images)!,
);
