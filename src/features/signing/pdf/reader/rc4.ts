/**
 * RC4 with a key of 5 to 16 bytes, which old encryptions of PDF use. The cipher library of this platform has
 * it no more.
 */
export const rc4 = (key: Uint8Array, data: Uint8Array): Uint8Array => {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number): void => {
    [state[a], state[b]] = [state[b]!, state[a]!];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 0xff;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return data.map((byte) => {
    i = (i + 1) & 0xff;
    j = (j + state[i]!) & 0xff;
    swap(i, j);
    return byte ^ state[(state[i]! + state[j]!) & 0xff]!;
  });
};
