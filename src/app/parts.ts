/** The opened parts from which the modules are built. */

import type { RegistrySettings } from "#features/registry/settings/settings";
import type { DocumentModels } from "#judging/document/decision/models/catalogue";
import type { OwnModels } from "#judging/document/decision/models/read-models";
import type { DocumentPolicy } from "#judging/document/decision/policy";
import type { FacePolicy } from "#judging/face/policy";
import type { Egress } from "#machine/egress/egress";
import type { RunLock } from "#record/jobs/run-lock";
import type { LinkToAsset } from "#record/operations/assets/link";
import type { HashAuthentication } from "#record/transactions/authentication-hash";
import type { TrackCall, TrackDecision } from "#record/transactions/operation-step";
import type { RecordCall } from "#record/transactions/record-call";
import type { Authority } from "#trust/timestamps/authority";
import type { TokenKey } from "#trust/tokens/keys";
import type { OpenToken } from "#trust/tokens/token";
import type { Engine } from "./engine.ts";
import type { OpenedMailbox } from "./mailbox.ts";
import type { OpenedPepList } from "./pep-list.ts";
import type { Report } from "./report.ts";
import type { ReadyConfig, Storage } from "./storage.ts";

/** Logs an event in the life of the service for the operator. Made by {@link makeCallLog}. */
export type Note = (message: string, facts: Readonly<Record<string, string | number | boolean>>) => void;

/** Everything that a module may need. Made by {@link openIdem}. */
export type Parts = {
  readonly config: ReadyConfig;
  readonly storage: Storage;
  readonly engine: Engine;
  /** The way out over HTTP, in a thread of its own (outgoing.ts). */
  readonly egress: Egress;
  readonly facePolicy: FacePolicy;
  readonly documentPolicy: DocumentPolicy;
  readonly documentModels: DocumentModels & { readonly own?: OwnModels };
  /** Politically exposed persons (PEP); undefined if the operator imported no list. */
  readonly peps: OpenedPepList | undefined;
  /** The settings of civil registries, by environment and country. */
  readonly registries: RegistrySettings;
  /**
   * Time-stamping authorities in the order in which they are asked; undefined if the configuration names
   * none.
   */
  readonly authorities: readonly Authority[] | undefined;
  readonly openToken: OpenToken;
  /** The key pair of tokens that seals now. */
  readonly tokenKey: () => TokenKey;
  /** Reads the key pairs of tokens again, after a command has rotated them. */
  readonly reloadTokenKeys: () => Promise<void>;
  readonly recordCall: RecordCall;
  /** The hash of positive authentications. Made by {@link makeHashAuthentication}. */
  readonly hashAuthentication: HashAuthentication;
  readonly trackCall: TrackCall;
  readonly trackDecision: TrackDecision;
  /** Pre-signed links to kept images, for events. */
  readonly linkToAsset: LinkToAsset;
  /**
   * Address of the service, asked when a URL is made: without a setting it is known once the server listens.
   */
  readonly baseUrl: () => string;
  readonly mailbox: OpenedMailbox;
  /** Shared by the loops of all modules. */
  readonly lock: RunLock;
  readonly clock: () => Date;
  readonly report: Report;
  readonly note: Note;
};
