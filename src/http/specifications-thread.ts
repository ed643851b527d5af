/** Entry of the thread that writes the documents about the interface. It ends when they are written. */
import { parentPort, workerData } from "node:worker_threads";
import { routes } from "#contract/routes";
import { writeAsyncApi } from "./asyncapi.ts";
import { writeCollection } from "./collection.ts";
import { writeOpenApi } from "./openapi.ts";
import { toYaml } from "./to-yaml.ts";

/** What the documents depend on. The main thread of the same process makes it. */
export type SpecificationWish = {
  /** Names of the routes that this process serves. */
  readonly routes: readonly string[];
  readonly version: string;
  readonly publicUrl: string | undefined;
  /** Vendor part of the type of events. */
  readonly vendor: string;
};

export type SpecificationTexts = {
  readonly openapiJson: string;
  readonly openapiYaml: string;
  readonly asyncapi: string;
  /** Of the examples, for Postman and its like. */
  readonly collection: string;
};

const { routes: served, version, publicUrl, vendor }: SpecificationWish = workerData;
const openapi = writeOpenApi(
  routes.filter(({ name }) => served.includes(name)),
  version,
  publicUrl,
);
const texts: SpecificationTexts = {
  openapiJson: JSON.stringify(openapi),
  openapiYaml: toYaml(openapi),
  asyncapi: toYaml(writeAsyncApi(version, vendor)),
  collection: JSON.stringify(writeCollection(publicUrl)),
};
parentPort?.postMessage(texts);
