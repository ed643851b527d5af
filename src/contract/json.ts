/** Any JSON value; rows store such values as text. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
