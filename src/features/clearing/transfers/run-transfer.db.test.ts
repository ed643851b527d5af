import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stepOf } from "#record/transactions/record-call";
import { type ClearingSimulator, startClearingSimulator } from "#sandbox/clearing/clearing-simulator";
import {
  caller,
  openTransferBench,
  serveCertificates,
  type TransferBench,
  type TransferBenchOptions,
} from "#support/clearing/transfer-bench";
import { eventually } from "#support/contract/eventually";
import { judgeAnswer } from "../client/client.ts";
import type { TransferState } from "./transfer-state.ts";

describe("the job of a transfer", () => {
  let folder: string;
  let entity: ClearingSimulator;
  let certificates: Awaited<ReturnType<typeof serveCertificates>>;
  let bench: TransferBench;

  const open = async (change: Partial<TransferBenchOptions> = {}): Promise<void> => {
    bench = await openTransferBench({
      folder,
      masterKey: randomBytes(32).toString("hex"),
      entityUrl: entity.url,
      certificates: certificates.url,
      ...change,
    });
    bench.loop.start();
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "idem-transfers-"));
    entity = await startClearingSimulator({ basic: "afp:clave", institutions: ["1033"] });
    certificates = await serveCertificates();
  });
  afterEach(async () => {
    await bench.close();
    await entity.close();
    certificates.close();
    await rm(folder, { recursive: true });
  });

  const faults = async (wanted: object): Promise<void> => {
    await fetch(`${entity.url}/_faults`, { method: "POST", body: JSON.stringify(wanted) });
  };
  const shown = (id: string) => bench.transfers.show(caller, id);
  const until = (id: string, state: TransferState, timeout = 20_000) =>
    eventually(
      async () => {
        const found = await shown(id);
        expect(found.transfer.state).toBe(state);
        return found;
      },
      { timeout, interval: 20 },
    );
  const movesOf = async (): Promise<readonly (string | undefined)[]> => {
    const links = await bench.store.listLinks(caller.tenantId, 0);
    return links.map(({ body }) => /"to":"([a-z-]+)"/.exec(body?.text ?? "")?.[1]);
  };

  it("brings ticket and token, and each step is evidence", async () => {
    await open();
    const { id } = await bench.create();
    const { transfer, content } = await until(id, "token");
    expect(entity.tickets()).toMatchObject([{ ticket: content.ticket, token: content.token }]);
    expect(transfer.reason).toBeUndefined();
    expect(content.statement).toMatchObject({ code: 200, errors: [] });
    expect(bench.issued()).toBe(1);
  });

  it("has one transfer for a transaction", async () => {
    await open();
    const { id, transactionId } = await bench.create();
    const call = { caller, transactionId: id, receivedAt: new Date(), signal: new AbortController().signal };
    const wish = { transactionId, scanReference: "x", requiresSecondVerification: false, affiliate: {} };
    await expect(bench.transfers.create(call, wish)).rejects.toMatchObject({
      code: "clearing_transfer_exists",
      facts: { transferId: id },
    });
    await until(id, "token");
    const upper = { ...wish, transactionId: transactionId.toUpperCase() };
    await expect(bench.transfers.create(call, upper)).rejects.toMatchObject({
      code: "clearing_transfer_exists",
    });
    expect(entity.tickets()).toHaveLength(1);
  });

  it("waits for an entity that does not listen, and goes on when it does", async () => {
    const { port } = new URL(entity.url);
    await entity.close();
    await open();
    const { id } = await bench.create();
    await eventually(async () =>
      expect((await shown(id)).transfer).toMatchObject({ state: "created", reason: "unreachable" }),
    );
    entity = await startClearingSimulator({ basic: "afp:clave", port: Number(port) });
    await until(id, "token");
    expect(entity.tickets()).toHaveLength(1);
  });

  it.each(["silence", "silenceAfterwards"])(
    "is unclear after %s, and asks for no second ticket",
    async (fault) => {
      await open({ timeoutMs: 300 });
      await faults({ [fault]: true, times: 1 });
      const { id } = await bench.create();
      expect((await until(id, "unclear")).transfer.reason).toBe("no-answer");
      const tickets = entity.tickets();
      await expect(bench.transfers.resume(caller, id, { isWithoutTicket: false })).rejects.toMatchObject({
        code: "clearing_statement_missing",
      });
      const [made] = tickets;
      await bench.transfers.resume(
        caller,
        id,
        made === undefined ? { isWithoutTicket: true } : { ticket: made.ticket, isWithoutTicket: false },
      );
      await until(id, "token");
      expect(entity.tickets()).toHaveLength(1);
    },
  );

  it("goes on with the right ticket after the operator had named a wrong one", async () => {
    await open({ timeoutMs: 300 });
    await faults({ silenceAfterwards: true, times: 1 });
    const { id } = await bench.create();
    await until(id, "unclear");
    await bench.transfers.resume(caller, id, { ticket: "none-of-theirs", isWithoutTicket: false });
    await until(id, "refused");
    const ticket = entity.tickets()[0]!.ticket;
    await bench.transfers.resume(caller, id, { ticket, isWithoutTicket: false });
    expect((await until(id, "token")).content.ticket).toBe(ticket);
    expect(entity.tickets()).toHaveLength(1);
  });

  it("asks for nothing while certificates need a user that the settings lack", async () => {
    await open();
    const { tenantId, environment } = caller;
    const credentials = { user: "clearing", passwordHash: "hash", changedAt: new Date() };
    await bench.store.setClearingCredentials({ tenantId, environment, ...credentials }, stepOf({}));
    await expect(bench.create()).rejects.toMatchObject({
      code: "clearing_not_configured",
      facts: { lacks: "certificate user" },
    });
    expect(bench.issued()).toBe(0);
  });

  it.each([{ malformed: true }, { html: true }, { status: 500 }, { redirect: true }, { huge: true }])(
    "is unclear after an answer like %j",
    async (fault) => {
      await open();
      await faults({ ...fault, times: 1 });
      const { id } = await bench.create();
      await until(id, "unclear");
      expect(entity.tickets().length).toBeLessThanOrEqual(1);
    },
  );

  it("is unclear after a code of 500 in a body, shows it, and asks for no second ticket", async () => {
    await open({
      watchEntity: (real) => ({
        ...real,
        // The entity made the ticket, and fails while it answers.
        requestTicket: async (access, request) => {
          await real.requestTicket(access, request);
          return judgeAnswer(200, { respuesta: { codigo: 500, mensaje: "Error interno" } }, "ticket_tvi");
        },
      }),
    });
    const { id } = await bench.create();
    const { transfer, content } = await until(id, "unclear");
    expect(transfer.reason).toBe("answer-unusable");
    expect(content.statement).toMatchObject({ code: 500, message: "Error interno" });
    await expect(bench.transfers.resume(caller, id, { isWithoutTicket: false })).rejects.toMatchObject({
      code: "clearing_statement_missing",
    });
    expect(entity.tickets()).toHaveLength(1);
  });

  it("asks for the token again where its answer is lost, with the same ticket", async () => {
    await open({
      timeoutMs: 300,
      watchEntity: (real) => {
        let asked = 0;
        return {
          ...real,
          requestToken: async (access, ticket) => {
            if (asked++ === 0) await faults({ silenceAfterwards: true, times: 1 });
            return await real.requestToken(access, ticket);
          },
        };
      },
    });
    const { id } = await bench.create();
    await until(id, "token");
    expect(entity.tickets()).toHaveLength(1);
  });

  it("is refused where the entity refuses, and resumes with other settings", async () => {
    await open({ basic: "afp:otra" });
    const { id } = await bench.create();
    expect((await until(id, "refused")).transfer.reason).toBe("credentials-refused");
    expect(entity.tickets()).toEqual([]);
    const abandoned = await bench.transfers.abandon(caller, id);
    expect(abandoned.transfer.state).toBe("abandoned");
    await expect(bench.transfers.resume(caller, id, { isWithoutTicket: true })).rejects.toMatchObject({
      code: "clearing_transfer_state",
    });
  });

  it("issues a new verification token before the entity gets one that ends soon", async () => {
    await open({ tokenMs: 59 * 60_000 });
    await until((await bench.create()).id, "token");
    expect(bench.issued()).toBe(2);
  });

  it("keeps a verification token that lives an hour", async () => {
    await open({ tokenMs: 61 * 60_000 });
    await until((await bench.create()).id, "token");
    expect(bench.issued()).toBe(1);
  });

  it("keeps nothing of the affiliate, the ticket or the token in the clear", async () => {
    await open();
    const { id } = await bench.create();
    const { content } = await until(id, "token");
    await bench.close();
    const { readFile, readdir } = await import("node:fs/promises");
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name)).catch(() => Buffer.alloc(0))),
    );
    const bytes = Buffer.concat(files);
    for (const secret of ["SOTO", "12345678", content.ticket ?? "", content.token ?? "", "token=t"]) {
      expect(bytes.includes(Buffer.from(secret)), secret).toBe(false);
    }
    await open();
  });

  it("writes one entry of evidence for each move", async () => {
    await open();
    await until((await bench.create()).id, "token");
    expect(await movesOf()).toEqual([undefined, "ticket-requested", "ticket", "token-requested", "token"]);
  });
});
