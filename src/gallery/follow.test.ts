import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeDrawFace } from "../cli/synthetic-faces.ts";
import { makePackFace, openSearchHouse } from "../measuring-search.ts";
import { makeSearchFaces } from "../people/search-faces.ts";
import { type FollowDeps, type Follower, startFollowing } from "./follow.ts";
import { galleryName } from "./follow-list.ts";

let folder: string;
let house: Awaited<ReturnType<typeof openSearchHouse>>;
let follower: Follower;
const errors: unknown[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-follow-"));
  house = await openSearchHouse(folder);
  errors.splice(0);
});
afterEach(async () => {
  await follower.stop();
  await house.close();
  await rm(folder, { recursive: true });
});

const template = makePackFace()(makeDrawFace(5)(2, 0));
const pollMs = 10;

/** A thread that does what its test says: only so does one end at a certain moment, or fail for one tenant. */
const threadOf = (
  put: FollowDeps["gallery"]["put"] = async () => ({ sizes: [], unopened: 0 }),
): FollowDeps["gallery"] => ({ put, remove: async () => undefined, forget: async () => undefined });

const follow = async (gallery: FollowDeps["gallery"]): Promise<void> => {
  await new Promise<void>((resolve) => {
    follower = startFollowing({
      store: house.store,
      gallery,
      lists: ["people"],
      onProgress: ({ isFilled }) => isFilled && resolve(),
      onError: (error) => errors.push(error),
      pollMs,
    });
  });
};

const unavailable = { code: "search_unavailable", facts: { retryAfterSeconds: 5 } };

it("does not answer for a thread that ends while a list is brought to the present", async () => {
  const putting = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<{ sizes: []; unopened: number }>();
  await follow(
    threadOf(() => {
      putting.resolve();
      return ending.promise;
    }),
  );
  await house.enrol(template);
  const caught = follower.catchUp("people", house.owner.tenantId);
  await putting.promise;
  follower.reset();
  ending.resolve({ sizes: [], unopened: 0 });
  await expect(caught).rejects.toMatchObject(unavailable);
});

it("says that a thread has ended between the list's present and the search's answer", async () => {
  await house.enrol(template);
  await follow(threadOf());
  const { requireStill } = await follower.catchUp("people", house.owner.tenantId);
  expect(requireStill).not.toThrow();
  const search = makeSearchFaces({
    ...house,
    follower,
    galleryName,
    face: { compare: () => ({ result: "None" }) },
    policy: { duplicates: "flag", fpir: { review: 0.1, refusal: 0.01 } },
    scoreFor: () => 3,
    gallery: {
      size: () => 1,
      missing: () => 0,
      search: async () => {
        follower.reset();
        return { candidates: [], total: 0 };
      },
    },
  });
  await expect(search("people", house.owner, template)).rejects.toMatchObject(unavailable);
  expect(requireStill).toThrow(expect.objectContaining(unavailable));
});

it("goes on with the other tenants where one fails, and answers for that one alone that it cannot be searched", async () => {
  const id = randomUUID();
  await house.store.createTenant({ id, name: "other", createdAt: new Date() });
  await house.enrol(template);
  await follow(
    threadOf(async ({ faces }) => {
      if (faces.some(({ tenantId }) => tenantId === house.owner.tenantId)) throw new Error("no such face");
      return { sizes: [], unopened: 0 };
    }),
  );
  expect(errors).toMatchObject([{ message: "no such face" }]);
  await expect(follower.catchUp("people", house.owner.tenantId)).rejects.toMatchObject(unavailable);
  expect(await follower.catchUp("people", id)).toMatchObject({ seq: 0 });
});
