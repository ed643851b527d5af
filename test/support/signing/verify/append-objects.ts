/** Objects of a PDF by their numbers, as they are written. */
export type Objects = Readonly<Record<number, string>>;

/** A stream with these data and further entries. */
export const streamOf = (data: string, entries = ""): string =>
  `<</Length ${data.length}${entries}>>\nstream\n${data}\nendstream`;

const lastOf = (file: Buffer, pattern: RegExp): string | undefined =>
  [...file.toString("latin1").matchAll(pattern)].at(-1)?.[1];

const writeRevision = (file: Buffer, objects: Objects, trailer: string): Buffer => {
  let added = "";
  const rows = Object.entries(objects).map(([number, object]) => {
    const offset = String(file.length + added.length).padStart(10, "0");
    added += `${number} 0 obj\n${object}\nendobj\n`;
    return `${number} 1\n${offset} 00000 n \n`;
  });
  const start = file.length + added.length;
  added += `xref\n${rows.join("")}trailer\n<</Size 900${trailer}>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.concat([file, Buffer.from(added, "latin1")]);
};

/** A file of these objects. Object 1 is the catalog. */
export const makeFile = (objects: Objects): Buffer =>
  writeRevision(Buffer.from("%PDF-1.7\n"), objects, "/Root 1 0 R");

/**
 * Appends objects as a revision of their own, as any editor does. Objects of an encrypted file are written as
 * they stand here.
 */
export const appendObjects = (file: Buffer, objects: Objects): Buffer => {
  const former = lastOf(file, /startxref\s+(\d+)/g) ?? "0";
  const encryption = lastOf(file, /(\/Encrypt \d+ 0 R)/g) ?? "";
  const id = encryption === "" ? "" : (lastOf(file, /(\/ID ?\[[\s<>0-9a-fA-F]+\])/g) ?? "");
  return writeRevision(file, objects, `/Root ${rootOf(file)} 0 R/Prev ${former}${encryption}${id}`);
};

/** The number of the catalog. */
export const rootOf = (file: Buffer): number => Number(lastOf(file, /\/Root (\d+) 0 R/g) ?? 1);

/** The last written text of an object. */
export const textOfObject = (file: Buffer, number: number): string =>
  lastOf(file, new RegExp(`\\n${number} 0 obj\\s*(.*?)\\s*endobj`, "gs")) ?? "";
