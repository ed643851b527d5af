import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "#machine/config/config";
import { type Harness, makeHarness } from "./harness/service.ts";

const read = (path: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");

let harness: Harness;
/** Names at `/metrics`. */
let metrics: ReadonlySet<string>;
let log: string;
beforeAll(async () => {
  harness = await makeHarness();
  const { promise, resolve } = Promise.withResolvers<void>();
  collector.listen(0, "127.0.0.1", resolve);
  await promise;
  const service = await harness.start({
    IDEM_TRACES_URL: `http://127.0.0.1:${portOf(collector)}/v1/traces`,
    IDEM_EGRESS_ALLOW: "127.0.0.1",
    IDEM_LOG_LEVEL: "info",
  });
  await fetch(`${service.url}/operator/operations`, { headers: { traceparent, "x-request-id": "traced" } });
  const text = await (await fetch(`${service.url}/metrics`)).text();
  metrics = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
  await service.stop();
  log = service.output();
}, 120_000);
afterAll(async () => {
  collector.close();
  await harness.clear();
});

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

/** A collector of traces: what was posted to it. */
const posted: string[] = [];
const collector = createServer((request, response) => {
  request.on("data", (part: Buffer) => posted.push(part.toString()));
  request.on("end", () => response.end("{}"));
});
const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : expect.unreachable();
};

it("a call of a traced caller is a span at the collector, and has its trace in the log; what waits leaves at the end", () => {
  const { spans } = JSON.parse(posted.join("")).resourceSpans[0].scopeSpans[0];
  expect(spans).toHaveLength(1);
  expect(spans[0]).toMatchObject({ traceId, parentSpanId: "00f067aa0ba902b7", name: "listOperations" });
  const line = log.split("\n").find((one) => one.includes('"requestId":"traced"'));
  expect(JSON.parse(line ?? "{}")).toMatchObject({ message: "call", status: 401, traceId });
  expect(metrics).toContain("idem_spans");
});

/** Names in an expression that no metric has. */
const unknownIn = (expression: string): readonly string[] =>
  [...expression.matchAll(/\b(?:idem|nodejs|process)_[a-z0-9_]+/g)]
    .map(([name]) => name.replace(/_(bucket|count|sum)$/, ""))
    .filter((name) => !metrics.has(name));

const rules = Compile(
  Type.Object({
    groups: Type.Array(
      Type.Object({
        name: Type.String(),
        rules: Type.Array(
          Type.Object(
            {
              alert: Type.String({ pattern: "^Idem[A-Za-z]+$" }),
              expr: Type.String(),
              for: Type.String({ pattern: "^[0-9]+m$" }),
              labels: Type.Object({ severity: Type.Enum(["warning", "critical"]) }),
              annotations: Type.Object({ summary: Type.String(), description: Type.String() }),
            },
            { additionalProperties: false },
          ),
          { minItems: 10 },
        ),
      }),
      { minItems: 1 },
    ),
  }),
);

const dashboard = Compile(
  Type.Object({
    uid: Type.String(),
    schemaVersion: Type.Integer({ minimum: 36 }),
    panels: Type.Array(
      Type.Object({
        id: Type.Integer(),
        title: Type.String(),
        gridPos: Type.Object({ x: Type.Integer(), y: Type.Integer(), w: Type.Integer(), h: Type.Integer() }),
        targets: Type.Array(Type.Object({ refId: Type.String(), expr: Type.String() }), { minItems: 1 }),
      }),
      { minItems: 8 },
    ),
  }),
);

describe("alerts and dashboard", () => {
  it("use metrics that the service has, each alert under a name of its own", async () => {
    const { groups } = rules.Parse(parse(await read("ops/alerts.yaml")));
    const all = groups.flatMap((group) => group.rules);
    expect(new Set(all.map(({ alert }) => alert)).size).toBe(all.length);
    expect(all.flatMap(({ expr }) => unknownIn(expr))).toStrictEqual([]);
    const { panels } = dashboard.Parse(JSON.parse(await read("ops/grafana.json")));
    expect(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => unknownIn(expr)))).toStrictEqual([]);
    expect(unknownIn("rate(idem_engine_lost[5m])")).toStrictEqual(["idem_engine_lost"]);
  });

  it("cover every alarm of the guide that has a metric", async () => {
    const guide = await read("docs/guides/operate/running.md");
    const table = guide.slice(guide.indexOf("| Alarm when |"), guide.indexOf("## When a process dies"));
    const named = [...table.matchAll(/^\| `([a-z0-9_]+)`/gm)].map(([, name]) => name!);
    const alerts = await read("ops/alerts.yaml");
    const later = ["idem_gallery_unopened", "idem_gallery_search_seconds", "idem_http_failures_total"];
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !alerts.includes(name) && !later.includes(name))).toStrictEqual([]);
  });
});

const environmentOf = Compile(Type.Record(Type.String(), Type.String()));

/** Settings of a deployment file that the service refuses, the secrets aside. */
const problemsOf = (settings: unknown): readonly string[] => {
  const environment = environmentOf.Parse(settings);
  const values = Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => !name.endsWith("_FILE") && name !== "IDEM_MODE")
      .map(([name, value]) => [name, value.replace(/\$\{\w+(?::-([^}]*)|[^}]*)\}/g, "$1")]),
  );
  const { IDEM_PUBLIC_URL: _, ...others } = values;
  try {
    readConfig(others);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
};

const container = Type.Object({
  image: Type.String(),
  args: Type.Array(Type.String()),
  envFrom: Type.Array(Type.Object({ configMapRef: Type.Object({ name: Type.Literal("idem") }) })),
  securityContext: Type.Object({
    allowPrivilegeEscalation: Type.Literal(false),
    readOnlyRootFilesystem: Type.Literal(true),
    capabilities: Type.Object({ drop: Type.Tuple([Type.Literal("ALL")]) }),
  }),
  resources: Type.Object({ limits: Type.Object({ memory: Type.String() }) }),
  volumeMounts: Type.Array(Type.Object({ name: Type.String(), mountPath: Type.String() })),
});
const pod = Type.Object({
  spec: Type.Object({
    securityContext: Type.Object({
      runAsNonRoot: Type.Literal(true),
      runAsUser: Type.Integer({ minimum: 1 }),
    }),
    containers: Type.Tuple([container]),
    volumes: Type.Array(Type.Object({ name: Type.String() })),
  }),
});
const probe = (path: string) =>
  Type.Object({ httpGet: Type.Object({ path: Type.Literal(path), port: Type.Literal("http") }) });
const job = Compile(Type.Object({ spec: Type.Object({ template: pod }) }));
const deployment = Compile(
  Type.Object({
    spec: Type.Object({
      template: Type.Object({
        spec: Type.Object({
          terminationGracePeriodSeconds: Type.Integer(),
          containers: Type.Tuple([
            Type.Object({
              readinessProbe: probe("/readyz"),
              startupProbe: probe("/readyz"),
              livenessProbe: probe("/healthz"),
            }),
          ]),
        }),
      }),
    }),
  }),
);
const kindOf = Compile(Type.Object({ apiVersion: Type.String(), kind: Type.String() }));

/**
 * Bytes that a service with this number of inference threads may take: docs/guides/operate/running.md,
 * "Memory".
 */
const memoryFor = (threads: number): number => 0.6e9 + threads * 0.5e9;

describe("the manifest for Kubernetes", () => {
  it("has a job that migrates, a deployment with probes, and settings that the service takes", async () => {
    const documents = parseAllDocuments(await read("ops/kubernetes.yaml")).map((document): unknown => {
      expect("errors" in document ? document.errors : []).toStrictEqual([]);
      return "toJSON" in document ? document.toJSON() : undefined;
    });
    const find = (kind: string): unknown => documents.find((one) => kindOf.Check(one) && one.kind === kind);
    for (const kind of ["Job", "Deployment"]) {
      const { template } = job.Parse(find(kind)).spec;
      const [{ volumeMounts, args }] = template.spec.containers;
      const volumes = template.spec.volumes.map(({ name }) => name);
      expect(volumeMounts.map(({ name }) => name).filter((name) => !volumes.includes(name))).toStrictEqual(
        [],
      );
      expect(args).toStrictEqual([kind === "Job" ? "migrate" : "serve"]);
    }
    const { data } = Compile(Type.Object({ data: Type.Record(Type.String(), Type.String()) })).Parse(
      find("ConfigMap"),
    );
    expect(problemsOf(data)).toStrictEqual([]);
    expect(data["IDEM_ADVISORY_LIVENESS"]).toBe("refused");
    const [{ resources }] = job.Parse(find("Deployment")).spec.template.spec.containers;
    const [, gibibytes = ""] = /^(\d+)Gi$/.exec(resources.limits.memory) ?? [];
    expect(memoryFor(Number(data["IDEM_WORKERS"]))).toBeLessThan(Number(gibibytes) * 2 ** 30);
    const { terminationGracePeriodSeconds } = deployment.Parse(find("Deployment")).spec.template.spec;
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(Number(data["IDEM_DRAIN_MS"]));
  });
});

const composed = Compile(
  Type.Object({
    services: Type.Record(
      Type.String(),
      Type.Object({
        profiles: Type.Array(Type.Enum(["embedded", "postgres"]), { minItems: 1 }),
        read_only: Type.Optional(Type.Literal(true)),
        restart: Type.String(),
        environment: Type.Record(Type.String(), Type.String()),
      }),
    ),
    volumes: Type.Record(Type.String(), Type.Unknown()),
  }),
);

describe("the files of containers", () => {
  it("run each process with a read-only file system and settings that the service takes", async () => {
    const { services } = composed.Parse(parse(await read("compose.yaml"), { merge: true }));
    const own = Object.entries(services).filter(([name]) => name !== "postgres");
    expect(own.map(([name]) => name)).toStrictEqual(["idem", "migrate", "idem-postgres"]);
    for (const [name, { read_only, environment }] of own) {
      expect(read_only, name).toBe(true);
      expect(problemsOf(environment), name).toStrictEqual([]);
      expect(environment, name).toHaveProperty("IDEM_METRICS_TOKEN");
      expect(environment, name).toHaveProperty("IDEM_TRUSTED_PROXIES");
    }
    for (const [name, { restart }] of Object.entries(services)) {
      expect(restart, name).toBe(name === "migrate" ? "no" : "unless-stopped");
    }
  });

  it("take into the build what the image is assembled from, and nothing else of the folder", async () => {
    const [script, ignored] = [await read("scripts/assemble.sh"), await read(".dockerignore")];
    const [, paths = ""] = /\n {2}(api [^|]*?)\| tar -xf/s.exec(script) ?? [];
    const taken = paths.split(/[\s\\]+/).filter((path) => path !== "");
    const [all, ...exceptions] = ignored.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(all).toBe("*");
    expect(exceptions.toSorted()).toStrictEqual(
      [...taken, "scripts/assemble.sh"].map((path) => `!${path}`).toSorted(),
    );
  });

  it("run as another user than root, with a health check, and without a package manager", async () => {
    const lines = (await read("Dockerfile")).split("\n");
    const last = lines.findLastIndex((line) => line.startsWith("FROM"));
    const image = lines.slice(last).join("\n");
    expect(image).toMatch(/^USER node$/m);
    expect(image).toMatch(/^HEALTHCHECK /m);
    expect(image).not.toMatch(/node_modules|^FROM node/m);
  });
});

it("the unit of systemd waits longer than the service drains, and starts it without a process between", async () => {
  const entries = (await read("ops/idem.service")).split("\n").filter((line) => /^[A-Za-z]+=/.test(line));
  const valueOf = (name: string): string | undefined =>
    entries.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  // In production a notice of 3 s comes before the drain (IDEM_DRAIN_NOTICE_MS).
  expect(Number(valueOf("TimeoutStopSec")) * 1000).toBeGreaterThan(readConfig({}).http.drainMs + 3_000);
  expect(valueOf("ExecStart")).toBe("/opt/idem/node_modules/.bin/node src/cli/idem.ts serve");
  expect(valueOf("EnvironmentFile")).toBe("/etc/idem/idem.env");
  expect(valueOf("User")).toBe("idem");
  expect(valueOf("ProtectSystem")).toBe("strict");
  expect(valueOf("MemoryDenyWriteExecute")).toBeUndefined();
});

it("the example of a proxy passes the largest body, and waits longer than a call may take", async () => {
  const guide = await read("docs/guides/operate/running.md");
  const numberAt = (pattern: RegExp): number => Number(pattern.exec(guide)?.[1]);
  const { bodyBytesMax, requestTimeoutMs } = readConfig({}).http;
  expect(numberAt(/client_max_body_size (\d+)m;/) * 2 ** 20).toBeGreaterThan(bodyBytesMax);
  expect(numberAt(/proxy_read_timeout (\d+)s;/) * 1000).toBeGreaterThan(requestTimeoutMs);
});
