import { decodeBase64Fields } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { transactionEnvelope } from "#contract/envelope";
import { updateUserTemplateResult } from "#contract/result-code";
import { updateUserTemplateRoute } from "#contract/user.routes";
import type { UpdateTemplate } from "../update-template.ts";
import type { SealTemplate } from "./authenticate-user.endpoint.ts";

type Deps = {
  readonly updateTemplate: UpdateTemplate;
  readonly sealTemplate: SealTemplate;
};

/**
 * A wrong old template and an unknown user are answers of this service, with the HTTP statuses of the route.
 */
export const updateUserTemplateEndpoint = ({ updateTemplate, sealTemplate }: Deps): Endpoint =>
  implement(updateUserTemplateRoute, async (call) => {
    const { userId, oldRegisteredTemplateRaw, newRegisteredTemplateRaw } = call.request;
    const bytes = decodeBase64Fields({
      oldRegisteredTemplateRaw: { value: oldRegisteredTemplateRaw },
      newRegisteredTemplateRaw: { value: newRegisteredTemplateRaw },
    });
    const { verdict, template } = await updateTemplate(
      call,
      userId,
      bytes.oldRegisteredTemplateRaw,
      bytes.newRegisteredTemplateRaw,
    );
    const { code, log } = updateUserTemplateResult[verdict];
    return {
      ...transactionEnvelope(call),
      serviceResultCode: code,
      serviceResultLog: log,
      ...(template && { registeredTemplateRaw: await sealTemplate(template, call) }),
    };
  });
