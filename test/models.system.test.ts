import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import type { ServiceProcess } from "#cli/kit/service/service-process";
import { listenLocally } from "#support/egress/local-server";
import {
  manifestOf,
  openTestModels,
  recogniserManifest,
  smallNetwork,
  smallRecogniser,
} from "#support/models/small-models";
import { livenessNetwork } from "#support/networks/small-networks";
import { imaging, persons, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { environmentOf, type Harness, makeHarness, program, type Run } from "./harness/service.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "idem-test-"));
});
afterEach(() => rm(home, { recursive: true }));

const idem = (...args: readonly string[]): Promise<Run> =>
  runIdem(["models", ...args], { IDEM_DATA: join(home, "data"), IDEM_EGRESS_ALLOW: "127.0.0.1" });

/** Writes a network and its manifest to the disk, as an operator brings them. */
const bring = async (bytes: Uint8Array, change: Parameters<typeof manifestOf>[1] = {}) => {
  const [file, manifest] = [join(home, "network.onnx"), join(home, "manifest.json")];
  await writeFile(file, bytes);
  await writeFile(manifest, JSON.stringify(manifestOf(bytes, change)));
  return ["--file", file, "--manifest", manifest] as const;
};

/** An image at half its size. */
const halved = async (bytes: Uint8Array) => {
  const image = await imaging.open(bytes);
  return await imaging.resize(image, Math.round(image.width / 2), Math.round(image.height / 2));
};

const stateOf = async (name: string): Promise<string | undefined> => {
  const { stdout } = await idem("list", "--json");
  const rows: readonly { readonly name: string; readonly state: string }[] = JSON.parse(stdout);
  return rows.find((row) => row.name === name)?.state;
};

describe("idem models", () => {
  it("installs a file only after licence and caution are shown and accepted, and does not use it yet", async () => {
    const brought = await bring(smallNetwork);
    const shown = await idem("add", ...brought);
    expect(shown.code).toBe(1);
    expect(shown.stderr).toMatch(/licence +Apache-2.0\n[^]*caution +It looks at one colour only/);
    expect(shown.stderr).toContain("Nothing was installed. To accept licence and caution, add --accept");
    expect(await readdir(home)).toEqual(["manifest.json", "network.onnx"]);
    expect((await idem("add", ...brought, "--accept")).code).toBe(0);
    expect(await stateOf("small")).toBe("installed");
    expect((await idem("add", ...brought, "--accept")).stderr).toContain("is installed already");
  });

  it("explains why it cannot use a file with its manifest, and how to add it with another manifest", async () => {
    const wrong = await bring(smallNetwork, { slot: "face-recogniser" });
    for (const reason of ["is installed, from", "is installed already"]) {
      const unusable = await idem("add", ...wrong, "--accept");
      expect(unusable.code).toBe(1);
      expect(unusable.stderr).toContain(reason);
      expect(unusable.stderr).toMatch(
        /This release cannot use small: it needs input\.align, .*\nIf its manifest is wrong: idem models remove small/,
      );
    }
    expect(await stateOf("small")).toBe("installed");
    const again = await idem("add", ...(await bring(smallNetwork)), "--accept");
    expect(again.stderr).toContain("To take this one, first: idem models remove small");
  });

  it("explains how to name a model that an earlier release installed under a bundled network's name", async () => {
    const manifest = manifestOf(smallNetwork, { name: "blazeface" });
    const [, file] = await bring(smallNetwork);
    await openTestModels(join(home, "data/models")).add(file, manifest);
    const digits = manifest.sha256.slice(0, 8);
    for (const verb of ["use", "shadow"]) {
      const refused = await idem(verb, "blazeface");
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/blazeface is bundled[^]*An installed model has the same name/);
      expect(refused.stderr).toContain(
        `say its SHA-256: idem models ${verb} ${digits}. Or idem models remove ${digits}`,
      );
      expect(await idem(verb, digits)).toMatchObject({ code: 0 });
      expect(await idem(verb, "--none", "liveness")).toMatchObject({ code: 0 });
    }
    expect((await idem("use", "facemesh")).stderr).not.toContain("An installed model has the same name");
  });

  it("uses, shadows, verifies and removes it", async () => {
    await idem("add", ...(await bring(smallNetwork)), "--accept");
    expect((await idem("use", "small")).stderr).toContain(
      "liveness: small 1 is at work from the next start on",
    );
    expect(await stateOf("small")).toBe("in use");
    expect((await idem("remove", "small")).code).toBe(1);
    expect((await idem("shadow", "small")).stderr).toContain("decides in the slot liveness already");
    expect((await idem("use", "--none", "liveness")).code).toBe(0);
    expect((await idem("shadow", "small")).code).toBe(0);
    expect(await stateOf("small")).toBe("shadow");
    expect((await idem("shadow", "--none", "liveness")).code).toBe(0);
    expect((await idem("verify")).stdout).toMatch(/^ok +small/);
    const [file] = (await readdir(join(home, "data/models"))).filter((name) => name.endsWith(".onnx"));
    await writeFile(join(home, "data/models", file!), smallNetwork.with(9, 9));
    const verified = await idem("verify");
    expect(verified.code).toBe(1);
    expect(verified.stdout).toMatch(/^RED +small[^]*has SHA-256/);
    expect((await idem("remove", "small")).code).toBe(0);
    expect(await stateOf("small")).toBeUndefined();
  });

  it("restores the missing file of a model in use, and names the command", async () => {
    const [, file, ...manifest] = await bring(smallNetwork);
    await idem("add", "--file", file, ...manifest, "--accept");
    await idem("use", "small");
    const [name] = (await readdir(join(home, "data/models"))).filter((one) => one.endsWith(".onnx"));
    await rm(join(home, "data/models", name!));
    expect(await stateOf("small")).toBe("in use, file missing");
    expect((await idem("verify")).stdout).toMatch(/^RED +small[^]*is missing[^]*idem models add --file PATH/);
    const repaired = await idem("add", "--file", file, "--accept");
    expect(repaired.code).toBe(0);
    expect(repaired.stderr).toMatch(/its file is missing[^]*is repaired, from network.onnx/);
    expect(await stateOf("small")).toBe("in use");
  });

  it("refuses a file that does not match its manifest, and the former model keeps working", async () => {
    await idem("add", ...(await bring(smallNetwork)), "--accept");
    await idem("use", "small");
    const wide = livenessNetwork({ side: 16, index: 1, channel: 0, classes: 4 });
    const refused = await idem("add", ...(await bring(wide)), "--accept");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("small is refused: its output is 1 x 4; the manifest says 3 values");
    const borrowed = await idem("add", ...(await bring(wide, { name: "iris" })), "--accept");
    expect(borrowed).toMatchObject({ code: 1, stdout: "" });
    expect(borrowed.stderr).toContain("iris is the name of a bundled network");
    expect(await stateOf("small")).toBe("in use");
  });

  it("fetches from a mirror, and discards any other file", async () => {
    const answers: Readonly<Record<string, Uint8Array | string>> = {
      "/other": Buffer.alloc(322_906, 1),
      "/pointer": "version https://git-lfs.github.com/spec/v1\noid sha256:104e\nsize 322906\n",
      "/half": Buffer.alloc(1000, 1),
    };
    const server = createServer((request, response) => response.end(answers[request.url ?? ""] ?? ""));
    const origin = `http://127.0.0.1:${await listenLocally(server)}`;
    const fetched = (path: string) =>
      idem("fetch", "yunet-n-dynamic", "--url", `${origin}${path}`, "--accept");
    const other = await fetched("/other");
    const pointer = await fetched("/pointer");
    const half = await fetched("/half");
    server.close();
    expect([other.code, pointer.code, half.code]).toEqual([1, 1, 1]);
    expect(other.stderr).toContain("yunet-n-dynamic: 322,906 bytes of 322,906 bytes");
    expect(other.stderr).toMatch(/thrown away: the file has SHA-256/);
    expect(pointer.stderr).toContain("pointer of Git LFS");
    expect(half.stderr).toMatch(
      /--url URL\n[^]*idem models add --file PATH\n {2}https:\/\/raw.githubusercontent/,
    );
    expect(half.stderr).toContain("only 1000 of 322906 bytes came. The received part is kept");
    expect(await stateOf("yunet-n-dynamic")).toMatch(/^known/);
  });

  it("leaves a killed attempt either without effect or complete", async () => {
    const brought = await bring(smallNetwork);
    for (let attempt = 0; attempt < 4; attempt++) {
      const child = spawn(process.execPath, [program, "models", "add", ...brought, "--accept"], {
        env: environmentOf({ IDEM_DATA: join(home, "data") }),
        stdio: "ignore",
      });
      setTimeout(() => child.kill("SIGKILL"), 150 + 225 * attempt);
      await once(child, "exit");
      const verified = await idem("verify");
      expect([verified.code, verified.stderr]).toEqual([
        0,
        expect.stringMatching(/^[01] installed, 0 wrong/),
      ]);
    }
    expect((await idem("add", ...brought, "--accept")).code).toBe(0);
    expect(await stateOf("small")).toBe("installed");
  });

  it("measures a recogniser on images, and refuses its use before calibration", async () => {
    const brought = await bring(smallRecogniser, recogniserManifest);
    expect((await idem("add", ...brought, "--accept")).code).toBe(0);
    await writeFile(join(home, "reference.jpg"), persons.selfie);
    await writeFile(join(home, "same.jpg"), await imaging.encodeJpeg(await halved(persons.selfie), 90));
    await writeFile(join(home, "other.jpg"), persons.impostor);
    await writeFile(
      join(home, "pairs.csv"),
      "image_a,image_b,same\nreference.jpg,same.jpg,1\nreference.jpg,other.jpg,0\n",
    );
    const measured = await idem(
      "measure",
      "coarse",
      "--pairs",
      join(home, "pairs.csv"),
      "--json",
      join(home, "f.json"),
    );
    expect(measured.stderr).not.toMatch(/no face enrolled/);
    expect(measured.stdout).toContain(
      "cosine of two embeddings; the threshold is the manifest's for FMR 1e-3",
    );
    const figures = JSON.parse(await readFile(join(home, "f.json"), "utf8"));
    expect(figures).toMatchObject({ failuresToEnrol: 0, auc: 1, threshold: { value: 0.9, fnmr: 0, fmr: 0 } });
    expect((await idem("use", "coarse")).stderr).toMatch(/coarse cannot be used: it has no calibration/);
    const few = ["measure", "coarse", "--identities", join(home, "few.csv"), "--calibrate"];
    await writeFile(join(home, "few.csv"), "path,person\nreference.jpg,1\nsame.jpg,1\nother.jpg,2\n");
    expect((await idem(...few)).stderr).toMatch(/was not calibrated: the list has 2 impostor pairs; 10000/);
    expect((await idem("measure", "coarse", "--pairs", "x", "--calibrate")).code).toBe(2);
    expect((await idem("measure", "small")).code).toBe(1);
    expect((await idem("measure")).code).toBe(2);
  });

  it("calls no address of a private network unless allowed", async () => {
    const { code, stderr } = await idem(
      "fetch",
      "yunet-n-dynamic",
      "--url",
      "https://10.0.0.1/a",
      "--accept",
    );
    expect(code).toBe(1);
    expect(stderr).toContain("IDEM_EGRESS_ALLOW");
  });

  it("explains what is wrong with an unusable folder, without a stack", async () => {
    await mkdir(join(home, "data"));
    await writeFile(join(home, "data/models"), "a file in the way");
    const { code, stderr } = await idem("add", ...(await bring(smallNetwork)), "--accept");
    expect(code).toBe(1);
    expect(stderr).toMatch(/\/data/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe("a service with added models", () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await makeHarness();
  });
  afterEach(() => harness.clear());

  const inHarness = (...args: readonly string[]): Promise<Run> =>
    runIdem(args, { IDEM_DATA: harness.directory });

  /** Installs two networks with constant answers in the data directory of the environment. */
  const addBoth = async (): Promise<void> => {
    const sure = { side: 16, index: 1, channel: 0 };
    const networks = {
      yes: livenessNetwork({ ...sure, bias: 9 }),
      no: livenessNetwork({ ...sure, bias: -30 }),
    };
    for (const [name, bytes] of Object.entries(networks)) {
      const brought = await bring(bytes, { name });
      expect((await inHarness("models", "add", ...brought, "--accept")).code).toBe(0);
    }
  };
  const judge = async ({ url, apiKey }: ServiceProcess): Promise<unknown> => {
    const imageBuffer = toBase64(persons.selfie);
    const answer = await makeClient(url, apiKey).post("/services/evaluatePassiveLiveness", { imageBuffer });
    return answer.body;
  };
  const metricsOf = async ({ url }: ServiceProcess): Promise<string> =>
    await (await fetch(`${url}/metrics`)).text();

  it("lets the model in use decide, only counts the shadow model, and logs both at the start", async () => {
    await addBoth();
    await inHarness("models", "use", "yes");
    await inHarness("models", "shadow", "no");
    const service = await harness.start({ IDEM_LOG_LEVEL: "info" });
    expect(await judge(service)).toMatchObject({ serviceLivenessResult: 3 });
    const metrics = await metricsOf(service);
    expect(metrics).toMatch(/idem_shadow_liveness_compared 1/);
    expect(metrics).toMatch(/idem_shadow_liveness_disagreements 1/);
    expect(metrics).toMatch(/idem_model_runs{model="yes@1"} 1/);
    expect(metrics).toMatch(/idem_model_runs{model="no@1"} 1/);
    await service.stop();
    expect(service.output()).toMatch(
      /"addedModels":"liveness yes@1, liveness no@1 \(shadow\)","faceCohort":"the bundled one","liveness":"model"/,
    );
    const report = await inHarness("models", "report", "--json");
    expect(JSON.parse(report.stdout)).toMatchObject([
      { models: expect.stringMatching(/^no@1 [0-9a-f]{8}$/), pictures: 1, disagreements: 1, liveAgainst: 1 },
    ]);
    const table = await inHarness("models", "report");
    expect(table.stdout).toMatch(/^shadow model +images[^]*\nno@1 /);
    expect(table.stderr).toContain("distance: mean difference of the two live scores");
    await inHarness("models", "use", "no");
    const other = await harness.start();
    expect(await judge(other)).toMatchObject({ serviceLivenessResult: 17 });
    await other.stop();
    const doctor = await inHarness("doctor");
    expect(doctor.stdout).toMatch(/ok +added models +liveness no@1/);
  });

  it("does not start with a changed model, and reports it in a sentence", async () => {
    await addBoth();
    await inHarness("models", "use", "yes");
    const { stdout } = await inHarness("models", "list", "--json");
    const rows: readonly { readonly state: string; readonly sha256: string }[] = JSON.parse(stdout);
    const { sha256 } = rows.find(({ state }) => state === "in use")!;
    await writeFile(join(harness.directory, "models", `${sha256}.onnx`), smallNetwork);
    const refused = await inHarness("serve");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/The file of the model yes was changed/);
    expect(refused.stderr).not.toMatch(/^\s+at /m);
    const { stdout: found } = await inHarness("doctor");
    expect(found).toMatch(/RED +added models[^]*was changed/);
    expect(found).toMatch(/RED +face cohort +not known: /);
  });
});
