import type { BundleContent, BundleTransaction } from "../content.ts";
import { attachmentNames } from "../content.ts";
import { describeCall, type Row } from "./describe-call.ts";
import { maskName } from "./mask.ts";

/** A part of the readable report. */
export type Block =
  | { readonly kind: "title" | "heading" | "subheading" | "text"; readonly text: string }
  /** A label and its value on each row. */
  | { readonly kind: "rows"; readonly rows: readonly Row[] };

/** Most calls, and rows of other lists, on the pages: the attachments hold all. */
export const listedMax = 40;

/** The readable report of a bundle, from what `evidence.json` states. Pure. */
export const reportOf = (content: BundleContent): readonly Block[] => [
  { kind: "title", text: "Evidence of a verification" },
  { kind: "rows", rows: summaryOf(content) },
  ...faultsOf(content),
  { kind: "heading", text: "Checks" },
  ...checksOf(content),
  { kind: "heading", text: "Events" },
  {
    kind: "rows",
    rows: shortened(content.events.map(({ sequence, name, at }) => [`${sequence}  ${name}`, timeOf(at)])),
  },
  ...imagesOf(content),
  { kind: "heading", text: "Policies and models" },
  { kind: "rows", rows: versionsOf(content.transactions) },
  { kind: "heading", text: "Evidence chain" },
  { kind: "rows", rows: chainOf(content) },
  { kind: "heading", text: "How to verify this file" },
  ...howTo,
];

const timeOf = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 23)} UTC`;

const summaryOf = ({ operation, tenant, environment, madeAt, release }: BundleContent): readonly Row[] => [
  ["Operation", operation.id],
  ["Result", operation.reason === null ? operation.state : `${operation.state}, ${operation.reason}`],
  ["Person", `${maskName(operation.customer)} (the caller's own name, masked here)`],
  ["Opened", timeOf(operation.openedAt)],
  ["Ended", operation.endedAt === null ? "not yet" : timeOf(operation.endedAt)],
  ...(operation.family === null ? [] : [["Family", operation.family] as const]),
  ["Organisation", `${tenant.name}, environment ${environment}`],
  ["Bundle made", `${timeOf(madeAt)} by Idem ${release}`],
];

const faultsOf = ({ faults, isWhole }: BundleContent): readonly Block[] => [
  ...(faults.length === 0
    ? []
    : [
        { kind: "heading", text: "Faults found when this bundle was made" } as const,
        { kind: "rows", rows: shortened(faults.map(({ place, finding }) => [place, finding])) } as const,
      ]),
  ...(isWhole
    ? []
    : [{ kind: "text", text: "A list of this operation was too long for a bundle and is cut." } as const]),
];

const checksOf = ({ transactions }: BundleContent): readonly Block[] => [
  ...transactions.slice(0, listedMax).flatMap((call): readonly Block[] => [
    { kind: "subheading", text: `${call.endpoint}, ${timeOf(call.at)}` },
    { kind: "rows", rows: describeCall(call) },
  ]),
  ...(transactions.length > listedMax
    ? [
        {
          kind: "text",
          text: `${transactions.length - listedMax} more: ${attachmentNames.content}.`,
        } as const,
      ]
    : []),
];

const imagesOf = ({ images }: BundleContent): readonly Block[] =>
  images.length === 0
    ? []
    : [
        { kind: "heading", text: "Images" },
        {
          kind: "rows",
          rows: shortened(
            images.map(({ type, sha256, attachment }) => [
              type,
              sha256 === null
                ? "revoked or removed"
                : `SHA-256 ${sha256}${attachment === null ? "" : `, attached as ${attachment}`}`,
            ]),
          ),
        },
      ];

const versionsOf = (transactions: readonly BundleTransaction[]): readonly Row[] => {
  const records = transactions.flatMap(({ record }) => (record === null ? [] : [record]));
  const policies = new Set(records.map(({ policy }) => policy).filter((policy) => policy !== ""));
  const models = new Map(records.flatMap((record) => Object.entries(record.models)));
  return shortened([
    ...[...policies].map((policy) => ["Policy", policy] as const),
    ...[...models].map(([name, hash]) => [name, `SHA-256 ${hash}`] as const),
  ]);
};

const endText = {
  head: "to the head of the chain",
  anchor: "to a time-stamped anchor",
  entry: "alone: no anchor is near",
} as const;

const chainOf = ({ chain, entries }: BundleContent): readonly Row[] => [
  ...shortened(
    entries.map(({ seq, kind, at, hash }) => [`Entry ${seq}`, `${kind}, ${timeOf(at)}, hash ${hash}`]),
  ),
  ...chain.segments.map(
    ({ since, lastSeq, end }) => ["Links", `entries ${since + 1} to ${lastSeq}, ${endText[end]}`] as const,
  ),
  ["Head", chain.head === null ? "the chain is empty" : `entry ${chain.head.seq}, hash ${chain.head.hash}`],
  ["Anchors", `${chain.anchors} with a time-stamp of an authority (${attachmentNames.anchors})`],
];

const howTo: readonly Block[] = [
  {
    kind: "text",
    text:
      "The signature of this file certifies it: a change of any byte makes the signature invalid. Any reader of PDF " +
      "signatures shows its signer and its time.",
  },
  {
    kind: "text",
    text:
      "idem evidence verify FILE --roots roots.pem checks the signature, the hash of each attachment, the links of the chain " +
      "and its anchors. The command needs no service, no database and no key.",
  },
  {
    kind: "text",
    text:
      `${attachmentNames.content} holds all figures of this report and more, ${attachmentNames.chain} the links of the chain, ` +
      `${attachmentNames.anchors} the time-stamps. docs/formats/evidence-bundle.md of Idem describes them.`,
  },
];

/** The first rows of a list, and how many more there are. */
const shortened = (rows: readonly Row[]): readonly Row[] => {
  if (rows.length === 0) return [["None", ""]];
  const more = rows.length - listedMax;
  return more > 0 ? [...rows.slice(0, listedMax), [`${more} more`, attachmentNames.content]] : rows;
};
