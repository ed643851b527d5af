import { civilCode } from "#contract/civil-code";
import { callbackStatuses } from "#contract/clearing.routes";
import { eventTopic, operationFinishedStatuses } from "#contract/event";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { livenessNumber } from "#contract/liveness";
import { padDecisions, padReason } from "#contract/pad";
import { reasons } from "#contract/reason-code";
import { authenticateUserResult, updateUserTemplateResult } from "#contract/result-code";
import { scanStatuses, verificationCode } from "#contract/verification-code";
import { type CodeTable, judgedBy, type Persona, type Produced } from "./persona.ts";

const namesOf = (table: Readonly<Record<string, unknown>>): readonly string[] => Object.keys(table);
const codesOf = (table: Readonly<Record<string, { readonly code: number | string }>>) =>
  Object.values(table).map(({ code }) => code);

/** Values that the contract forbids to send, by table. */
export const neverSent: Readonly<Partial<Record<CodeTable, readonly (number | string)[]>>> = {
  facial: [facialAuthenticationNumber.Uncertain],
  facialEvent: ["Uncertain"],
  liveness: [livenessNumber.Spoof, livenessNumber.Uncertain],
  livenessEvent: ["Spoof", "Uncertain"],
};

/** Values that no persona produces yet, with the cause. The list is empty. */
export const unreachable: readonly Produced[] = [];

const tables: Readonly<Record<CodeTable, readonly (number | string)[]>> = {
  facial: Object.values(facialAuthenticationNumber),
  liveness: Object.values(livenessNumber),
  authenticateUser: codesOf(authenticateUserResult),
  updateUserTemplate: codesOf(updateUserTemplateResult),
  verification: Object.values(verificationCode),
  scan: scanStatuses,
  reason: namesOf(reasons).map(Number),
  padDecision: padDecisions,
  padReason: namesOf(padReason),
  civil: codesOf(civilCode),
  event: namesOf(eventTopic),
  facialEvent: namesOf(facialAuthenticationNumber),
  livenessEvent: namesOf(livenessNumber),
  finishedStatus: operationFinishedStatuses,
  callback: Object.values(callbackStatuses),
  outage: [502, 503, 504, "delay"],
  delivery: ["duplicate", "reordered", "late"],
};

const isTable = (name: string): name is CodeTable => Object.hasOwn(tables, name);

/** Every value of every code table that this service sends. */
export const sentValues: readonly Produced[] = Object.keys(tables)
  .filter(isTable)
  .flatMap((table) =>
    tables[table]
      .filter((value) => neverSent[table]?.includes(value) !== true)
      .map((value) => ({ table, value })),
  );

/** The values that no persona produces. */
export const uncovered = (personas: readonly Persona[]): readonly Produced[] => {
  const produced = new Set(
    personas.flatMap(({ produces }) => produces.map(({ table, value }) => `${table} ${value}`)),
  );
  return sentValues.filter(({ table, value }) => !produced.has(`${table} ${value}`));
};

/** How many personas the engines judge, and how many marks and ids steer. */
export const countJudged = (personas: readonly Persona[]) => {
  const engines = personas.filter((persona) => judgedBy(persona) === "engines").length;
  return { engines, steered: personas.length - engines };
};
