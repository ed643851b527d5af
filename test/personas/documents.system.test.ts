import { testPersonas } from "./personas.ts";

testPersonas(/^(document|card)-/u);
