import type { LineOf, ManifestLine } from "#machine/storage/backup/manifest";
import { print, say } from "../command.ts";

/** A backup, or a manifest, that was written. */
export type Made = {
  readonly end: LineOf<"end">;
  readonly file: string;
  readonly recipient?: string;
  /** It states damage. */
  readonly isDamaged: boolean;
  /** Faults that it states and that nothing repairs. */
  readonly lasting?: number;
  readonly signer?: string | undefined;
};

const isLasting = (line: ManifestLine): boolean => line.type === "damage" && line.lasting === true;

const isOfDamage = (line: ManifestLine): boolean =>
  line.type === "damage" || (line.type === "absent" && line.reason === "damaged");

/** Counts the faults that the lines of a backup state. */
export const makeDamageCount = () => {
  let [isDamaged, lasting] = [false, 0];
  return {
    take: (line: ManifestLine): void => {
      if (isLasting(line)) lasting += 1;
      else isDamaged ||= isOfDamage(line);
    },
    found: () => ({ isDamaged, lasting }),
  };
};

/** Prints what was written, and what is wrong with it. */
export const reportBackup = (
  { end, file, recipient, signer, isDamaged, lasting = 0 }: Made,
  isJson: boolean,
): void => {
  const { files, bytes, removed, missing, damaged = 0, sha256 } = end;
  if (isDamaged) {
    say(`The store is damaged: ${file} states its faults, and lacks ${damaged} damaged objects.`);
  }
  if (lasting > 0) {
    say(
      `The evidence has ${lasting} faults that nothing repairs: ${file} is complete, and states them. See them: idem store verify.`,
    );
  }
  if (missing > 0) {
    say(`The store names ${missing} objects that the deployment has lost. The others are in ${file}.`);
  }
  if (isJson) {
    const counts = { files, bytes, removed, missing, damaged, isDamaged, lasting };
    print(JSON.stringify({ ...counts, sha256, recipient: recipient ?? null, signer: signer ?? null, file }));
    return;
  }
  say(
    `${files} ${files === 1 ? "file" : "files"} with ${bytes} bytes. Objects that were removed meanwhile: ${removed}.`,
  );
  if (recipient !== undefined) {
    say(`Encrypted to the key ${recipient}. The master key is not in it: keep it apart.`);
    say(
      signer === undefined
        ? "It is NOT signed: it does not prove who made it."
        : `Signed by the key ${signer}.`,
    );
    say(`Check it: idem restore ${file} --key SECRET.pem --check`);
  }
  print(sha256);
};
