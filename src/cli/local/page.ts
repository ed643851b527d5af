/** The report of one answer, or of a list, with its images, as one file that loads nothing. */
import type { LocalChecks } from "#app/local-checks";
import { models, type Section as PageSection, table, writePage } from "#evaluation/report/page";
import { escapeHtml } from "#machine/http/pages/shell";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import type { Answer, Check, Question } from "./check.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });

/** An image for a page, as an address that holds it. Undefined for an image that cannot be decoded. */
export const thumbnailOf = async (bytes: Uint8Array, longSideMax: number): Promise<string | undefined> => {
  try {
    const jpeg = await imaging.encodeJpeg(await imaging.open(bytes, { longSideMax }), 85);
    return `data:image/jpeg;base64,${Buffer.from(jpeg).toString("base64")}`;
  } catch {
    // An image that cannot be decoded is a result of the check, and cannot be shown.
    return undefined;
  }
};

export type Shown = { readonly caption: string; readonly address: string | undefined };

export const figures = (images: readonly Shown[]): string => {
  const shown = images.map(({ caption, address }) =>
    address === undefined
      ? `<figure><p>This image cannot be shown.</p><figcaption>${escapeHtml(caption)}</figcaption></figure>`
      : `<figure><img src="${address}" alt="${escapeHtml(caption)}"><figcaption>${escapeHtml(caption)}</figcaption></figure>`,
  );
  return `<div class="images">${shown.join("")}</div>`;
};

/** Release, policies and models of the run. */
export const settingsSections = (settings: LocalChecks["settings"]): readonly PageSection[] => [
  {
    heading: "Settings",
    body: table(
      ["", ""],
      [
        ["Release", settings.version],
        ["Face policy", settings.facePolicy],
        ["Document policy", settings.documentPolicy],
      ],
    ),
  },
  models(settings.models),
];

const longSideMax = 640;

export const writeAnswerPage = async (
  { name }: Check,
  { images }: Question,
  { result, sections }: Answer,
  settings: LocalChecks["settings"],
): Promise<string> => {
  const shown: Shown[] = [];
  for (const [caption, bytes] of Object.entries(images)) {
    shown.push({ caption, address: await thumbnailOf(bytes, longSideMax) });
  }
  return writePage(`${name}: ${result}`, `idem ${settings.version}, ${new Date().toISOString()}`, [
    { heading: "Images", body: figures(shown) },
    ...sections.map(({ heading, rows }) => ({ heading, body: table(["", ""], rows) })),
    ...settingsSections(settings),
  ]);
};
