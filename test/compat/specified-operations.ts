import { routes } from "#contract/routes";
import { writeOpenApi } from "#machine/http/openapi";
import { toYaml } from "#machine/http/to-yaml";
import { readContract } from "../../scripts/contract/read-contract.ts";

/**
 * The operations of the specification as a reader of its file gets them, read once for all test files of a
 * worker.
 */
export const { operations } = readContract(toYaml(writeOpenApi(routes, "0.0.0")));
