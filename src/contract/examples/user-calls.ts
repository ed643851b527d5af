import { exampleToken } from "../example.ts";
import {
  authenticateUserRoute,
  authenticateUserV2Route,
  deleteUsersRoute,
  updateUserTemplateRoute,
} from "../user.routes.ts";
import type { ExampleCall } from "./example-call.ts";
import { exampleImages } from "./images.ts";

const { portrait, selfie, laterSelfie } = exampleImages;
const userId = "user-4711";

/** Examples of the user services, in an order that works. */
export const userCalls: readonly ExampleCall[] = [
  {
    name: "enrol",
    route: authenticateUserRoute,
    summary: "A first call with two open images of a drawn face enrols the user.",
    fields: {
      userId,
      image: portrait,
      bestImageToken: selfie,
      merchantReferenceId: "login-2026-11-21-0815",
    },
  },
  {
    name: "authenticate",
    route: authenticateUserV2Route,
    summary: "A later call, with another best image: one image serves one call of this kind.",
    fields: {
      userId,
      image: portrait,
      bestImageToken: laterSelfie,
      merchantReferenceId: "login-2026-11-21-0816",
    },
  },
  {
    name: "update",
    route: updateUserTemplateRoute,
    summary: "Replaces the template of the enrolled user by another image of the face.",
    fields: {
      userId,
      oldRegisteredTemplateRaw: exampleToken("template"),
      newRegisteredTemplateRaw: selfie,
    },
    taken: [{ field: "oldRegisteredTemplateRaw", from: "enrol", member: "registeredTemplateRaw" }],
    alone: "token_unreadable",
  },
  {
    name: "delete",
    route: deleteUsersRoute,
    summary: "Deletes the enrolled user. A user who is not registered stands in notFoundUserIds.",
    fields: { userIds: [userId] },
  },
];
