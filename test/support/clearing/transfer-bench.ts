import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { openSqliteStore, type Store } from "#app/store";
import { makeEntityClient } from "#features/clearing/client/client";
import type { EntityClient } from "#features/clearing/client/entity";
import type { IssueToken } from "#features/clearing/issue-token";
import type { ConfiguredEntity } from "#features/clearing/transfers/run-transfer";
import { makeTransferSealing } from "#features/clearing/transfers/sealed-transfer";
import { makeTransferJobs, transferLoopOptions } from "#features/clearing/transfers/transfer-jobs";
import { makeTransfers, type Transfers } from "#features/clearing/transfers/transfers";
import { verificationCodeOf } from "#features/clearing/verification-code";
import { makeEgress } from "#machine/egress/make-egress";
import { type LeaseLoop, makeLeaseLoop } from "#record/jobs/lease-loop";
import { makeRunLock } from "#record/jobs/run-lock";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";

export type TransferBenchOptions = {
  readonly folder: string;
  /** 32 bytes in hex: processes on one folder share it. */
  readonly masterKey: string;
  readonly entityUrl: string;
  /** Address under which certificates are opened. */
  readonly certificates: string;
  readonly isRepeatable?: boolean;
  readonly timeoutMs?: number;
  readonly basic?: string;
  readonly clock?: () => Date;
  /** Life of an issued verification token. */
  readonly tokenMs?: number;
  readonly watchStore?: (store: Store) => Store;
  readonly watchEntity?: (entity: EntityClient) => EntityClient;
};

export const caller = { tenantId: "afp", keyId: "key", environment: "test" } as const;

/**
 * Transfers over a real store, a real client and a real loop of jobs; verification tokens are the test's own.
 */
export type TransferBench = {
  readonly store: Store;
  readonly transfers: Transfers;
  readonly loop: LeaseLoop;
  readonly issued: () => number;
  readonly create: () => Promise<{ readonly id: string; readonly transactionId: string }>;
  readonly close: () => Promise<void>;
};

/** Short times, so that a test sees the end of a lease. */
const times = { pollMs: 50, leaseMs: 900 } as const;

const entityOf = ({ entityUrl, basic = "afp:clave" }: TransferBenchOptions): ConfiguredEntity => ({
  url: entityUrl,
  basic,
  institution: "1033",
  certificateKey: "k",
  credentials: undefined,
});

/** Verification tokens of the test, counted. */
const makeIssue = (options: TransferBenchOptions, clock: () => Date) => {
  let issued = 0;
  const person = {
    firstName: "ANA MARÍA",
    lastName: "SOTO ROJAS",
    idNumber: "123456785",
    dateOfBirth: null,
    documentNumber: null,
    documentCountry: "CHL",
  };
  const issueToken: IssueToken = async (_, { transactionId }, requirePerson) => {
    requirePerson?.(person);
    issued++;
    return {
      token: "t",
      expiresAt: new Date(clock().getTime() + (options.tokenMs ?? 86_400_000)),
      usesMax: 10,
      verifiedAt: clock(),
      person,
      certificateUrl: `${options.certificates}/${transactionId}?token=t${issued}`,
    };
  };
  return { issueToken, issued: () => issued };
};

/** The keys of certificates are judged in features/clearing/http/transfer.http.test.ts. */
const isKeyOf = async (): Promise<boolean> => true;

export const openTransferBench = async (options: TransferBenchOptions): Promise<TransferBench> => {
  const { watchStore = (same) => same, watchEntity = (same) => same, clock = () => new Date() } = options;
  const opened = await openSqliteStore({ path: join(options.folder, "idem.sqlite") });
  await opened.createTenant({ id: caller.tenantId, name: "afp", createdAt: clock() });
  const store = watchStore(opened);
  const masters = [masterKeyOf(Buffer.from(options.masterKey, "hex"))] as const;
  const sealing = makeTransferSealing(makeKeyring({ store, masters, now: clock }));
  const { issueToken, issued } = makeIssue(options, clock);
  const entity = entityOf(options);
  const shared = { store, sealing, issueToken, clock, newId: randomUUID, findEntity: () => entity, isKeyOf };
  const egress = makeEgress({ allow: ["127.0.0.1"] });
  const loop = makeLeaseLoop({
    jobs: makeTransferJobs({
      ...shared,
      entity: watchEntity(makeEntityClient({ egress, isProxied: false })),
      settings: {
        timeoutMs: options.timeoutMs ?? 20_000,
        isRepeatable: options.isRepeatable ?? false,
        provider: "Idem",
        verificationType: "FACIAL",
      },
      holder: randomUUID(),
      onCallFailed: () => undefined,
    }),
    clock,
    lock: makeRunLock(),
    random: Math.random,
    onError: () => undefined,
    options: { ...transferLoopOptions, ...times },
  });
  const transfers = makeTransfers({
    ...shared,
    readRut: (text) => text,
    wake: loop.wake,
  });
  return {
    store,
    transfers,
    loop,
    issued,
    create: () => createIn(transfers, clock),
    close: async () => {
      await loop.stop();
      await store.close();
    },
  };
};

const createIn = async (transfers: Transfers, clock: () => Date) => {
  const transactionId = randomUUID();
  const { signal } = new AbortController();
  const call = { caller, transactionId: randomUUID(), receivedAt: clock(), signal };
  const wish = {
    transactionId,
    scanReference: randomUUID(),
    requiresSecondVerification: false,
    affiliate: {},
  };
  const { transfer } = await transfers.create(call, wish);
  return { id: transfer.id, transactionId };
};

/** Certificates as the service serves them: `/{transaction}`. */
export const serveCertificates = async (): Promise<{ readonly url: string; readonly close: () => void }> => {
  const server = createServer((request, response) => {
    const transactionId = /^\/([^?]*)/.exec(request.url ?? "")?.[1] ?? "";
    const certificate = {
      codigoVerificacion: verificationCodeOf(transactionId),
      facialAuthenticationResult: 3,
      passiveLivenessResult: 3,
      documentValidationCode: 9001,
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(certificate));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
};
