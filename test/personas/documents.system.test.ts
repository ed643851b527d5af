import { testPersonas } from "./personas.ts";

testPersonas(/^(document-(?!reason-)|card-)/u);
