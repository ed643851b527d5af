import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { parseOptions, print, printTable, type Run, say, suggestion, UsageError } from "../command.ts";
import { callService, type ServiceCalls } from "./service-calls.ts";

const transferShape = Type.Object({
  transferId: Type.String(),
  serviceTransactionId: Type.String(),
  state: Type.String(),
  reason: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String(),
  changedAt: Type.String(),
  ticket: Type.Union([Type.String(), Type.Null()]),
  token: Type.Union([Type.String(), Type.Null()]),
  entity: Type.Union([
    Type.Object({
      code: Type.Union([Type.Integer(), Type.Null()]),
      message: Type.Union([Type.String(), Type.Null()]),
      errors: Type.Array(Type.String()),
    }),
    Type.Null(),
  ]),
});

type ShownTransfer = Static<typeof transferShape>;

const answered = makeCheck(Type.Object({ transfer: transferShape }));
const listed = makeCheck(
  Type.Object({
    transfers: Type.Array(Type.Omit(transferShape, ["ticket", "token", "entity"])),
    next: Type.Union([Type.String(), Type.Null()]),
  }),
);

const base = "/operator/clearing/transfers";
const pollMs = 500;
const settled: ReadonlySet<string> = new Set(["token", "refused", "unclear", "abandoned"]);

const options = {
  scan: { type: "string" },
  "first-name": { type: "string" },
  "paternal-surname": { type: "string" },
  "maternal-surname": { type: "string" },
  rut: { type: "string" },
  "second-verification": { type: "boolean" },
  ticket: { type: "string" },
  "without-ticket": { type: "boolean" },
  wait: { type: "string" },
  json: { type: "boolean" },
  url: { type: "string" },
  "key-from": { type: "string" },
} as const;

const parse = (args: readonly string[]) => parseOptions(args, options, true);
type Values = ReturnType<typeof parse>["values"];

export const runTransfer: Run = async (args) => {
  const { values, positionals } = parse(args);
  const [first, id, ...others] = positionals;
  if (first === undefined || others.length > 0) {
    throw new UsageError("Name a transaction or an action: idem clearing transfer --help");
  }
  const waitMs = readWait(values.wait);
  if (isAction(first)) {
    if (first !== "list" && id === undefined)
      throw new UsageError(`Name the transfer: idem clearing transfer ${first} ID`);
    const service = await callService(values);
    return await actions[first](service, encodeURIComponent(id ?? ""), values, waitMs);
  }
  if (id !== undefined) {
    throw new UsageError(
      `Unknown action "${first}".${suggestion(first, Object.keys(actions))} List them: --help`,
    );
  }
  if (values.scan === undefined) throw new UsageError("Name the document validation: --scan REFERENCE");
  const service = await callService(values);
  const created = await service.post(base, wishOf(first, values.scan, values));
  return await follow(service, answered.Parse(created).transfer, values, waitMs);
};

type Action = (service: ServiceCalls, id: string, values: Values, waitMs: number) => Promise<number>;

const actions = {
  list: async (service, _, values) => {
    const { transfers, next } = listed.Parse(await service.get(base));
    if (values.json === true) {
      print(JSON.stringify({ transfers, next }));
      return 0;
    }
    if (transfers.length === 0) say("There is no transfer.");
    else {
      printTable([
        ["transfer", "transaction", "state", "reason", "changed"],
        ...transfers.map((one) => [
          one.transferId,
          one.serviceTransactionId,
          one.state,
          one.reason ?? "",
          one.changedAt,
        ]),
      ]);
    }
    if (next !== null) say(`There are more: ${base} has the next pages.`);
    return 0;
  },
  show: async (service, id, values) => {
    showTransfer(answered.Parse(await service.get(`${base}/${id}`)).transfer, values);
    return 0;
  },
  resume: async (service, id, values, waitMs) => {
    if (values.ticket !== undefined && values["without-ticket"] === true) {
      throw new UsageError("Set --ticket or --without-ticket, not both");
    }
    const statement = {
      ...(values.ticket !== undefined && { ticket: values.ticket }),
      ...(values["without-ticket"] === true && { withoutTicket: true }),
    };
    const resumed = await service.post(`${base}/${id}/resume`, statement);
    return await follow(service, answered.Parse(resumed).transfer, values, waitMs);
  },
  abandon: async (service, id, values) => {
    showTransfer(answered.Parse(await service.post(`${base}/${id}/abandon`, {})).transfer, values);
    return 0;
  },
} as const satisfies Readonly<Record<string, Action>>;

const isAction = (word: string): word is keyof typeof actions => Object.hasOwn(actions, word);

const wishOf = (serviceTransactionId: string, scanReference: string, values: Values) => {
  const affiliate = {
    ...(values["first-name"] !== undefined && { firstName: values["first-name"] }),
    ...(values["paternal-surname"] !== undefined && { paternalSurname: values["paternal-surname"] }),
    ...(values["maternal-surname"] !== undefined && { maternalSurname: values["maternal-surname"] }),
    ...(values.rut !== undefined && { rut: values.rut }),
  };
  return {
    serviceTransactionId,
    scanReference,
    ...(values["second-verification"] === true && { requiresSecondVerification: true }),
    ...(Object.keys(affiliate).length > 0 && { affiliate }),
  };
};

const readWait = (text = "120"): number => {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= 86_400) return seconds * 1000;
  throw new UsageError(`--wait is "${text}". Set it to whole seconds from 0 to 86400`);
};

/** Follows a transfer until it is settled or the time is over. Each change of its state is a line of progress. */
const follow = async (
  service: ServiceCalls,
  started: ShownTransfer,
  values: Values,
  waitMs: number,
): Promise<number> => {
  const begun = performance.now();
  let current = started;
  say(`${current.transferId}: ${describe(current)}`);
  while (!settled.has(current.state) && performance.now() - begun < waitMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const next = answered.Parse(await service.get(`${base}/${current.transferId}`)).transfer;
    if (describe(next) !== describe(current)) say(`${next.transferId}: ${describe(next)}`);
    current = next;
  }
  showTransfer(current, values);
  if (!settled.has(current.state)) {
    say(`It goes on without this command: idem clearing transfer show ${current.transferId}`);
  }
  return current.state === "token" ? 0 : 1;
};

const describe = ({ state, reason }: Pick<ShownTransfer, "state" | "reason">): string =>
  reason === null ? state : `${state} (${reason})`;

const nextSteps: Readonly<Record<string, string>> = {
  refused: "Correct the cause, then: idem clearing transfer resume ID. Or abandon it.",
  unclear:
    "The entity may have acted. Ask it, then: idem clearing transfer resume ID --ticket TEXT | --without-ticket. Or abandon it.",
};

const showTransfer = (shown: ShownTransfer, { json }: Values): void => {
  if (json === true) return print(JSON.stringify(shown));
  print(`state   ${describe(shown)}`);
  if (shown.ticket !== null) print(`ticket  ${shown.ticket}`);
  if (shown.token !== null) print(`token   ${shown.token}`);
  const { entity } = shown;
  if (entity !== null && shown.state === "refused") {
    print(
      `entity  ${[entity.code, entity.message, ...entity.errors].filter((part) => part !== null).join("; ")}`,
    );
  }
  const next = nextSteps[shown.state];
  if (next !== undefined) say(next.replace("ID", shown.transferId));
};
