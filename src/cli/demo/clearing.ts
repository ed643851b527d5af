import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { drawPersonImages } from "#sandbox/persons/person-images";
import { personAt } from "#sandbox/persons/persons";
import { sealToken } from "#trust/tokens/seal";
import { CommandError } from "../command.ts";
import type { Client } from "../kit/service/client.ts";
import { awaitDecision, call } from "../kit/service/onboarding.ts";
import type { CivilDeps } from "./civil.ts";
import { differs, type Step } from "./step.ts";

const started = makeCheck(Type.Object({ scanReference: Type.String() }));
const identified = makeCheck(
  Type.Object({
    serviceTransactionId: Type.String(),
    facialAuthenticationResult: Type.Integer(),
    passiveLivenessResult: Type.Integer(),
  }),
);
const decided = makeCheck(
  Type.Object({
    verification: Type.Object({
      code: Type.Integer(),
      reason: Type.Union([Type.String(), Type.Null()]),
    }),
  }),
);
const transferred = makeCheck(
  Type.Object({
    transfer: Type.Object({
      transferId: Type.String(),
      state: Type.String(),
      ticket: Type.Union([Type.String(), Type.Null()]),
      token: Type.Union([Type.String(), Type.Null()]),
    }),
  }),
);

type Transfer = ReturnType<typeof transferred.Parse>["transfer"];

const story = "a Chilean with his cédula, from the verification token to ticket_tvi and token";

/**
 * Onboards the man of the demo with a Chilean card, and transfers him through the clearing entity of the
 * sandbox.
 */
export const transferAffiliate = async (deps: CivilDeps): Promise<Step> => {
  const { client } = deps;
  const onboarded = await onboardChilean(deps);
  const { transaction, scanReference, mistakes } = onboarded;
  const path = `/services/clearing/${transaction}/verify`;
  const verified = await client.post(path, { scanReference });
  if (verified.status === 501)
    return { name: "clearing", story, facts: { state: "not in this build" }, mistakes };
  if (verified.status !== 200) {
    throw new CommandError(
      `${path} answered ${verified.status}: ${JSON.stringify(verified.body).slice(0, 400)}`,
    );
  }
  const { transfer: created } = transferred.Parse(
    await call(client, "/operator/clearing/transfers", { serviceTransactionId: transaction, scanReference }),
  );
  const transfer = await awaitTransfer(client, created);
  return {
    name: "clearing",
    story,
    facts: { state: transfer.state, ticket_tvi: transfer.ticket, token: transfer.token },
    mistakes: [
      ...mistakes,
      ...differs("the state of the transfer", transfer.state, "token"),
      ...(transfer.ticket === null ? ["there is no ticket_tvi"] : []),
      ...(transfer.token === null ? ["there is no token"] : []),
    ],
  };
};

/** Validation of the card and the identity call with its image: the preconditions of a verification token. */
const onboardChilean = async ({ client, keys, imaging }: CivilDeps) => {
  const images = await drawPersonImages(imaging, personAt("CHL", 0));
  const [front, back] = [images.front, images.back].map((image) => Buffer.from(image).toString("base64"));
  const tracking = { operationId: "demo-clearing", extraData: "tracking of demo-clearing" };
  const { scanReference } = started.Parse(
    await call(client, "/verify/documentValidation/v2/start", {
      country: "CHL",
      idType: "ID_CARD",
      documentFrontRawImage: front,
      documentBackRawImage: back,
      tracking,
    }),
  );
  const identity = identified.Parse(
    await call(client, "/onboarding/v2/identity", {
      token1: front,
      bestImageToken: await sealToken({ keys, kind: "best-image", payload: images.selfie, now: new Date() }),
      method: "3",
      tracking,
    }),
  );
  await awaitDecision(client, scanReference);
  const { verification } = decided.Parse(
    await call(client, "/verify/documentValidation/v2/data", { scanReference }),
  );
  return {
    scanReference,
    transaction: identity.serviceTransactionId,
    mistakes: [
      ...differs("facialAuthenticationResult", identity.facialAuthenticationResult, 3),
      ...differs("passiveLivenessResult", identity.passiveLivenessResult, 3),
      ...differs("the verification code", verification.code, 9001),
      ...(verification.reason === null ? [] : [`the reason is ${verification.reason}`]),
    ],
  };
};

/** States that a job leaves by itself. */
const passing: readonly string[] = ["created", "ticket-requested", "ticket", "token-requested"];
const pollMs = 200;
const waitMsMax = 90_000;

const awaitTransfer = async (client: Client, created: Transfer): Promise<Transfer> => {
  let transfer = created;
  const until = performance.now() + waitMsMax;
  while (passing.includes(transfer.state) && performance.now() < until) {
    await sleep(pollMs);
    const { body } = await client.get(`/operator/clearing/transfers/${transfer.transferId}`);
    transfer = transferred.Parse(body).transfer;
  }
  return transfer;
};
