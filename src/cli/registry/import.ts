import { availableParallelism } from "node:os";
import { openLocalRegistry } from "#app/local-registry";
import type { ImportCounts } from "#features/registry/local/import-persons";
import { type PersonFault, type RefusedRow } from "#features/registry/local/read-person";
import { CommandError, print, say } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { withTenant } from "../kit/store/with-tenant.ts";
import type * as words from "./import.command.ts";
import { personRows } from "./person-rows.ts";
import { makeReadPhoto } from "./photo-file.ts";
import { environmentOf } from "./place.ts";

/** The words of each fault, for the operator. */
const faultTexts: Readonly<Record<PersonFault, string>> = {
  "line-unreadable": "is no row of this list: no JSON object, or more cells than the header has",
  "column-unknown": "has a member that is no column of this list",
  "number-missing": "has no number",
  "number-wrong": "has a number that is none of the country",
  "value-not-text": "has a value that is no text",
  "value-too-long": "has a value that is too long",
  "value-with-control-characters": "has a value with control characters",
  "date-wrong": "has a date that is no day of the form YYYY-MM-DD",
  "date-in-future": "has a birth or an issue in the future",
  "gender-wrong": "has another sex than M, F or X",
  "country-wrong": "has no country code of three letters",
  "link-wrong": "has no http or https link to a public host",
  "photo-missing": "names a photo that cannot be read",
  "photo-outside": "names a photo outside of the folder",
  "photo-too-large":
    "names a photo with more bytes or pixels than IDEM_IMAGE_BYTES_MAX and IDEM_IMAGE_PIXELS_MAX allow",
  "photo-unreadable": "names a photo that is no readable JPEG, PNG, WebP or AVIF",
};

/** Decoding runs in threads of the platform: four, unless the environment says otherwise before the start. */
const restartWithDecoders = (): void => {
  const cores = availableParallelism();
  if (process.env["UV_THREADPOOL_SIZE"] !== undefined || cores <= 4) return;
  if (process.platform !== "linux" || process.execve === undefined) return;
  const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, program, {
    ...process.env,
    UV_THREADPOOL_SIZE: String(Math.min(cores, 128)),
  });
};

export const importPersons: Work<typeof words.importPersons> = async (values, file) => {
  const { country } = values;
  const environment = environmentOf(values);
  if (values.photos !== undefined) restartWithDecoders();
  return await withTenant(values.tenant, async ({ tenant, config, ...storage }) => {
    const readPhoto = await makeReadPhoto(values.photos, config.images.bytesMax).catch((cause: unknown) => {
      throw new CommandError(`The folder ${values.photos} cannot be read.`, { cause });
    });
    const admin = openLocalRegistry(storage, config, { tenantId: tenant.id, environment, country });
    const progress = makeProgress();
    const counts = await admin.importPersons(personRows(file), {
      readPhoto,
      onRefused: (line, refused) =>
        print(values.json ? JSON.stringify({ line, ...refused }) : wordsOf(line, refused)),
      onReplaced: (line, byLine) =>
        print(
          values.json
            ? JSON.stringify({ line, replacedByLine: byLine })
            : `Line ${line} is replaced: line ${byLine} has the same number and other content.`,
        ),
      onProgress: progress.note,
    });
    if (values.json) print(JSON.stringify(counts));
    say(`${progress.textOf(counts)}.`);
    return counts.refused === 0 ? 0 : 1;
  });
};

const wordsOf = (line: number, { fault, column }: RefusedRow): string =>
  `Line ${line} ${faultTexts[fault]} (${fault}${column === undefined ? "" : `, ${column}`}).`;

const progressEveryMs = 2_000;

const makeProgress = () => {
  const startedMs = performance.now();
  let saidMs = startedMs;
  const textOf = (counts: ImportCounts): string => {
    const { added, changed, unchanged, repeated, refused } = counts;
    const rows = added + changed + unchanged + repeated + refused;
    const perSecond = Math.round(rows / Math.max(0.001, (performance.now() - startedMs) / 1000));
    return `${rows} rows, ${perSecond} a second: ${added} added, ${changed} changed, ${unchanged} unchanged, ${repeated} repeated, ${refused} refused`;
  };
  return {
    textOf,
    note: (counts: ImportCounts): void => {
      if (performance.now() - saidMs < progressEveryMs) return;
      saidMs = performance.now();
      say(textOf(counts));
    },
  };
};
