import type { Static } from "typebox";
import {
  abandonTransferRoute,
  createTransferRoute,
  listTransfersRoute,
  resumeTransferRoute,
  showTransferRoute,
} from "#contract/clearing-transfer.routes";
import { print, printTable, say, suggestion, UsageError } from "../command.ts";
import type { Values, Work } from "../kit/action.ts";
import type { CalledService } from "../kit/service/call-route.ts";
import { findService } from "../kit/service/find-service.ts";
import type { transfer } from "./transfer.command.ts";

type Words = typeof transfer;
type Topics = Words["topics"];
type ShownTransfer = Static<typeof showTransferRoute.response>["transfer"];

const pollMs = 500;
const settled: ReadonlySet<string> = new Set(["token", "refused", "unclear", "abandoned"]);

export const start: Work<Words> = async (values, [serviceTransactionId, ...others]) => {
  if (serviceTransactionId === undefined) {
    throw new UsageError("Name a transaction or an action: idem clearing transfer --help");
  }
  if (others.length > 0) {
    const near = suggestion(serviceTransactionId, ["list", "show", "resume", "abandon"]);
    throw new UsageError(`Unknown action "${serviceTransactionId}".${near} List them: --help`);
  }
  const service = await findService(values);
  const { transfer: created } = await service.call(createTransferRoute, {
    serviceTransactionId,
    scanReference: values.scan,
    ...(values["second-verification"] && { requiresSecondVerification: true }),
    ...affiliateOf(values),
  });
  return await follow(service, created, values);
};

const affiliateOf = (values: Values<Words["options"]>) => {
  const affiliate = {
    ...(values["first-name"] !== undefined && { firstName: values["first-name"] }),
    ...(values["paternal-surname"] !== undefined && { paternalSurname: values["paternal-surname"] }),
    ...(values["maternal-surname"] !== undefined && { maternalSurname: values["maternal-surname"] }),
    ...(values.rut !== undefined && { rut: values.rut }),
  };
  return Object.keys(affiliate).length > 0 && { affiliate };
};

export const list: Work<Topics["list"]> = async (values) => {
  const { call } = await findService(values);
  const { transfers, next } = await call(listTransfersRoute, {});
  if (values.json) {
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
  if (next !== null) say(`There are more: ${listTransfersRoute.path} has the next pages.`);
  return 0;
};

export const show: Work<Topics["show"]> = async (values, transferId) => {
  const { call } = await findService(values);
  showTransfer((await call(showTransferRoute, { transferId })).transfer, values.json);
  return 0;
};

export const resume: Work<Topics["resume"]> = async ({ ticket, ...values }, transferId) => {
  const isWithout = values["without-ticket"];
  if (ticket !== undefined && isWithout) {
    throw new UsageError("Set --ticket or --without-ticket, not both");
  }
  const service = await findService(values);
  const { transfer: resumed } = await service.call(resumeTransferRoute, {
    transferId,
    ...(ticket !== undefined && { ticket }),
    ...(isWithout && { withoutTicket: true }),
  });
  return await follow(service, resumed, values);
};

export const abandon: Work<Topics["abandon"]> = async (values, transferId) => {
  const { call } = await findService(values);
  showTransfer((await call(abandonTransferRoute, { transferId })).transfer, values.json);
  return 0;
};

/**
 * Follows a transfer until it is settled or the time is over. Each change of its state is a line of progress.
 */
const follow = async (
  { call }: CalledService,
  started: ShownTransfer,
  { json, wait: waitMs }: { readonly json: boolean; readonly wait: number },
): Promise<number> => {
  const begun = performance.now();
  let current = started;
  say(`${current.transferId}: ${describe(current)}`);
  while (!settled.has(current.state) && performance.now() - begun < waitMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const { transfer: next } = await call(showTransferRoute, { transferId: current.transferId });
    if (describe(next) !== describe(current)) say(`${next.transferId}: ${describe(next)}`);
    current = next;
  }
  showTransfer(current, json);
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

const showTransfer = (shown: ShownTransfer, isJson: boolean): void => {
  if (isJson) return print(JSON.stringify(shown));
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
