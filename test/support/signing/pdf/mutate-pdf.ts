/** Words that change the meaning of a PDF where they appear. */
const words = [
  "/Prev 0",
  "/Length 99999999",
  "/Size 4294967295",
  "0 0 R",
  "1 0 R",
  "99999999 0 R",
  "<<",
  ">>",
  "[[[[",
  "endobj",
  "stream\n",
  "startxref\n7\n",
  "/ByteRange[0 1 2 3]",
  "/Encrypt 1 0 R",
  "/XRefStm 20",
  "\0\0\0\0",
  "-1",
  "/Kids[2 0 R]",
  "/Filter/FlateDecode",
  "/Predictor 15",
  "obj",
];

/** Changes 1 to 8 places of a file: bytes, words, cuts, copies. The same for the same random numbers. */
export const mutatePdf = (bytes: Uint8Array, random: () => number): Buffer => {
  let mutated = Buffer.from(bytes);
  const below = (limit: number) => Math.floor(random() * Math.max(1, limit));
  const splice = (at: number, removed: number, inserted: Buffer): void => {
    mutated = Buffer.concat([mutated.subarray(0, at), inserted, mutated.subarray(at + removed)]);
  };
  for (let change = 1 + below(8); change > 0; change--) {
    const at = below(mutated.length);
    const kind = below(6);
    if (kind === 0 && mutated.length > 0) mutated[at] = below(256);
    if (kind === 1) splice(at, below(40), Buffer.alloc(0));
    if (kind === 2) splice(at, 0, Buffer.from(words[below(words.length)] ?? ""));
    if (kind === 3) splice(at, 0, mutated.subarray(below(mutated.length)).subarray(0, 200));
    if (kind === 4) {
      const word = Buffer.from(words[below(words.length)] ?? "");
      splice(at, word.length, word);
    }
    if (kind === 5 && below(8) === 0) mutated = mutated.subarray(0, at);
  }
  return mutated;
};
