import type { ObjectState } from "#app/probe";
import { type Finding, finding } from "../kit/finding.ts";

/**
 * A round is a week. Our choice: after two of them it is more likely that no process reads, or that it reads
 * too slowly.
 */
export const lateRoundMsMax = 15 * 86_400_000;

/** What the scrub of the service last found. Pure. `isOn`: the settings let it read. */
export const judgeObjects = (
  state: ObjectState | undefined,
  isOn: boolean,
  now: Date,
): readonly Finding[] => {
  if (state === undefined) return [];
  const { scrub, damaged } = state;
  const round = describeRound(scrub, isOn);
  if (damaged.count > 0) {
    const names = damaged.blobs.map(({ tenantId, id }) => `blobs/${tenantId}/${id}`);
    const more = damaged.count > names.length ? " and others" : "";
    return [
      finding(
        "stored objects",
        `${damaged.count} damaged or missing: ${names.join(", ")}${more}; ${round}`,
        "See all: idem store verify. Copy them back: idem store repair --from BACKUP --key SECRET.pem.",
      ),
    ];
  }
  const since = scrub?.completed?.at ?? scrub?.startedAt;
  const isLate = isOn && since !== undefined && now.getTime() - since.getTime() > lateRoundMsMax;
  return [
    finding(
      "stored objects",
      round,
      isLate
        ? "Run the service, and see its log for the component scrub; a large store needs a higher IDEM_SCRUB_BYTES_PER_SECOND."
        : undefined,
    ),
  ];
};

const describeRound = (scrub: ObjectState["scrub"], isOn: boolean): string => {
  if (scrub?.completed !== undefined) {
    const { at, checked, damaged } = scrub.completed;
    return `${checked} compared with their rows until ${at.toISOString()}, ${damaged} of them damaged then`;
  }
  if (scrub !== undefined) return `the first comparison with their rows has done ${scrub.checked}`;
  return isOn
    ? "not compared with their rows yet: the service begins at its next start"
    : "never compared with their rows: IDEM_SCRUB_BYTES_PER_SECOND is 0";
};
