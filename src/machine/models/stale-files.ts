import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** Copies of imported files, and texts before their final rename. */
const temporary = new RegExp(`^(?:[0-9a-f]{64}\\.part\\.${uuid}|.+\\.json\\.${uuid}\\.new)$`);
const modelFile = /^([0-9a-f]{64})\.onnx$/;
const download = /^([0-9a-f]{64})\.part$/;

/**
 * Longer than a running command leaves such a file untouched: the longest pause is a trial, which ends after
 * a minute.
 */
const idleMsMin = 3_600_000;

/**
 * Removes files of killed commands from the models folder. An incomplete download stays, to be resumed, until
 * its model is installed.
 */
export const clearStaleFiles = async (folder: string, now: Date): Promise<void> => {
  const paths = await readdir(folder, { recursive: true });
  const isInstalled = (hash: string | undefined): boolean => paths.includes(`${hash}.json`);
  const isLeft = (path: string): boolean => {
    const [file, part] = [modelFile.exec(path), download.exec(basename(path))];
    if (file !== null) return !isInstalled(file[1]);
    if (part !== null) return isInstalled(part[1]);
    return temporary.test(basename(path));
  };
  for (const path of paths.filter(isLeft)) {
    const file = join(folder, path);
    if (await isIdle(file, now)) await rm(file, { force: true });
  }
};

/** By the change time: unlike the modification time it also shows that a file was just moved. */
const isIdle = async (file: string, now: Date): Promise<boolean> =>
  await stat(file).then(
    ({ ctimeMs }) => now.getTime() - ctimeMs > idleMsMin,
    // Removed meanwhile.
    () => false,
  );
