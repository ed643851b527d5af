/** What the parts of the service are made of, once everything is open. */
import type { DocumentModels, OwnModels } from "./document/models/read-models.ts";
import type { PepList } from "./document/outside/pep-list.ts";
import type { DocumentPolicy } from "./document/policy.ts";
import type { FacePolicy } from "./face/policy.ts";
import type { Component } from "./http/log.ts";
import type { Engine } from "./open-engine.ts";
import type { ReadyConfig, Storage } from "./open-storage.ts";
import type { OpenToken } from "./tokens/token.ts";

export type Report = (component: Component, note: string, error: unknown, subject?: string) => void;

/** Tells the operator of a moment in the life of the service. */
export type Note = (message: string, facts: Readonly<Record<string, string | number | boolean>>) => void;

export type Parts = {
  readonly config: ReadyConfig;
  readonly storage: Storage;
  readonly engine: Engine;
  readonly facePolicy: FacePolicy;
  readonly documentPolicy: DocumentPolicy;
  readonly documentModels: DocumentModels & { readonly own?: OwnModels };
  /** Politically exposed persons, where the operator imported a list. */
  readonly peps: PepList | undefined;
  readonly openToken: OpenToken;
  /** Tells the operator of an error beside the calls: in which part, on what, and why. */
  readonly report: Report;
  readonly note: Note;
};
