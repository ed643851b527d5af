import { formerHoursDefault } from "#record/webhooks/destinations/secret";
import { optionLines, type Words } from "../kit/action.ts";
import { jsonOption, liveOption, tenantOption } from "../kit/options.ts";
import { deliveries, replay } from "./deliveries.command.ts";
import { settingOptions } from "./setting-options.ts";

const placeOptions = { live: liveOption, tenant: tenantOption } as const;

const whichDestination = <const Action extends string>(action: Action) =>
  `Name the destination: idem webhooks ${action} ID` as const;

const onOne = <const Action extends string>(action: Action) =>
  ({ options: placeOptions, takes: whichDestination(action) }) as const;

export const webhooks = {
  help: `Usage: idem webhooks add --name TEXT --url URL --topics A,B [settings] [--live] [--tenant NAME] [< FILE]
       idem webhooks list [--live] [--tenant NAME] [--json]
       idem webhooks show ID
       idem webhooks set ID [settings] [< FILE]
       idem webhooks pause | resume | remove ID
       idem webhooks enable ID [--deliver-held]
       idem webhooks rotate-secret ID [--former-hours N]
       idem webhooks handshake ID
       idem webhooks deliveries   deliveries and the log of their attempts; it has its own --help
       idem webhooks replay       send deliveries again, or those that are held; it has its own --help

add            creates a destination, and prints its signing secret once on stdout
list, show     print destinations, never a secret. A forged one was added or changed past the service, and receives nothing: remove it
set            changes the settings that are named; the others stay
pause, resume  hold the deliveries, and deliver what was held
enable         ends the disabling after failures; --deliver-held sends what was held meanwhile
remove         ends the destination with its secrets and the deliveries that wait
rotate-secret  prints a new signing secret once; the former one signs too for --former-hours (default ${formerHoursDefault}, 0 to 168)
handshake      asks the receiver for its consent (CloudEvents HTTP web hooks)

Settings:
${optionLines(settingOptions)}

${optionLines(placeOptions)}

All of it works while the service runs, as the operator API (/operator/destinations) does.`,
  topics: {
    add: { options: { ...settingOptions, ...placeOptions } },
    list: { options: { ...placeOptions, json: jsonOption } },
    show: onOne("show"),
    set: { options: { ...settingOptions, ...placeOptions }, takes: whichDestination("set") },
    pause: onOne("pause"),
    resume: onOne("resume"),
    enable: {
      options: { ...placeOptions, "deliver-held": { type: "boolean" } },
      takes: whichDestination("enable"),
    },
    remove: onOne("remove"),
    "rotate-secret": {
      options: { ...placeOptions, "former-hours": { type: "string", default: String(formerHoursDefault) } },
      takes: whichDestination("rotate-secret"),
    },
    handshake: onOne("handshake"),
    deliveries,
    replay,
  },
} as const satisfies Words;
