import { open } from "node:fs/promises";

/** The rest of a longer line is left out. Bodies of evidence hold ids and codes, and are far shorter. */
export const lineBytesMax = 1_048_576;
const chunkBytes = 65_536;
const newLine = 0x0a;

/** The lines of a text file, without their ends, in bounded memory. None of a file that does not exist. */
export async function* readTextLines(path: string): AsyncGenerator<string> {
  const handle = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    let rest = Buffer.alloc(0);
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(chunkBytes), 0, chunkBytes);
      if (bytesRead === 0) break;
      rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      for (let end = rest.indexOf(newLine); end >= 0; end = rest.indexOf(newLine)) {
        yield rest.subarray(0, Math.min(end, lineBytesMax)).toString("utf8");
        rest = rest.subarray(end + 1);
      }
      rest = rest.subarray(0, lineBytesMax);
    }
    if (rest.length > 0) yield rest.toString("utf8");
  } finally {
    await handle.close();
  }
}
