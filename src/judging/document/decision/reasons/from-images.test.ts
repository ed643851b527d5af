import { describeReasons } from "#support/document/describe-reasons";
import { readDrawnReadings } from "#support/document/drawn-readings";

const readings = readDrawnReadings();

/** Readings that were recorded: from-images.engine.test.ts draws and reads images. */
describeReasons(async (images) => readings.get(images)!);
