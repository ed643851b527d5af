/** Entry of the thread that writes the documents about the interface. It ends when they are written. */
import { parentPort, workerData } from "node:worker_threads";
import { exampleImages } from "#contract/examples/images";
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

/** In UTF-8. */
export type SpecificationFiles = {
  readonly openapiJson: Uint8Array;
  readonly openapiYaml: Uint8Array;
  readonly asyncapi: Uint8Array;
  /** The collection of the examples, for Postman and similar programs. */
  readonly collection: Uint8Array;
};

const { routes: served, version, publicUrl, vendor }: SpecificationWish = workerData;
const openapi = writeOpenApi(
  routes.filter(({ name }) => served.includes(name)),
  version,
  publicUrl,
);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const files: SpecificationFiles = {
  openapiJson: encode(JSON.stringify(openapi)),
  openapiYaml: encode(toYaml(openapi, exampleImages)),
  asyncapi: encode(toYaml(writeAsyncApi(version, vendor))),
  collection: encode(JSON.stringify(writeCollection(publicUrl))),
};
parentPort?.postMessage(files);
