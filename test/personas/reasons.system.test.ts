import { testPersonas } from "./personas.ts";

testPersonas(/^document-reason-/u);
