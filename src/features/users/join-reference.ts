import type { Attempt, Faces } from "./attempt.ts";
import { type Findings, judgeAttempt } from "./judge-attempt.ts";
import { templateOf } from "./open-faces.ts";
import type { ReferencePolicy } from "./policy.ts";
import { evidenceOf, type UserService } from "./service.ts";
import type { FurtherReference, Joining, User } from "./store/user.ts";

/** The further references of a user, sealed and opened in the same order. */
export type Further = {
  readonly sealed: readonly FurtherReference[];
  readonly templates: readonly Uint8Array[];
};

const none: Further = { sealed: [], templates: [] };

/** Opens the further references of a user; none where the policy has one reference a user. */
export const openFurther = async (
  { store, vault, policy, face }: Pick<UserService, "store" | "vault" | "policy" | "face">,
  { tenantId, environment, id }: User,
): Promise<Further> => {
  if (policy.references.max <= 1) return none;
  const all = await store.listReferences({ tenantId, id });
  const sealed = all.filter(({ recogniser }) => recogniser === face.recogniser);
  const templates = await Promise.all(sealed.map((one) => vault.open({ tenantId, environment, id, ...one })));
  return { sealed, templates };
};

type Claim = {
  readonly isAuthenticated: boolean;
  /**
   * The false match rate of the face against the registered template alone; absent where they were not
   * compared.
   */
  readonly falseMatchRate: number | undefined;
  /** When each further reference joined. */
  readonly joinedAt: readonly Date[];
  /** When the registered template was made. */
  readonly registeredAt: Date;
  readonly at: Date;
};

/** Whether the face of a login joins the references of its user. */
export const mayJoin = (claim: Claim, { max, falseMatchRate, apartMs }: ReferencePolicy): boolean => {
  const { joinedAt, registeredAt, at } = claim;
  const lastMs = Math.max(...[registeredAt, ...joinedAt].map((time) => time.getTime()));
  return (
    claim.isAuthenticated &&
    claim.falseMatchRate !== undefined &&
    claim.falseMatchRate <= falseMatchRate &&
    joinedAt.length < max - 1 &&
    at.getTime() - lastMs >= apartMs
  );
};

type Login = {
  readonly user: User;
  readonly faces: Faces | undefined;
  readonly findings: Findings;
  readonly registered: Uint8Array;
  readonly further: Further;
  readonly at: Date;
};

/**
 * The login's face, sealed as a new reference. Undefined if it is not added; a template without its image
 * never is.
 */
export const joiningOf = async (
  { service, call }: Attempt,
  { user, faces, findings, registered, further, at }: Login,
): Promise<Joining | undefined> => {
  const { references } = service.policy;
  const seen = faces?.probe.kind === "measured" ? templateOf(faces.probe) : undefined;
  if (faces === undefined || seen === undefined || references.max <= 1) return undefined;
  const alone = service.face.compare({ kind: "template", template: registered }, faces.probe);
  const claim = {
    isAuthenticated: judgeAttempt(findings) === "authenticated",
    falseMatchRate: alone.comparison?.falseMatchRate,
    joinedAt: further.sealed.map(({ addedAt }) => addedAt),
    registeredAt: user.renewedAt,
    at,
  };
  if (!mayJoin(claim, references)) return undefined;
  const reference = await service.vault.seal(user, seen);
  // Stored key: earlier releases wrote it.
  const body = { person: user.id, key: reference.keyId, transaction: call.transactionId };
  const evidence = evidenceOf(service, "person_reference_added", body);
  return { reference, furtherMax: references.max - 1, evidence };
};
