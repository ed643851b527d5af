/** An entry of the cross-reference (ISO 32000-2, 7.5.4 and 7.5.8.3). */
export type XrefEntry =
  | { readonly kind: "free" }
  | { readonly kind: "plain"; readonly offset: number; readonly generation: number }
  | { readonly kind: "compressed"; readonly stream: number; readonly index: number };

/** The cross-reference of a file: the object versions that a conforming reader sees. */
export type Xref = {
  readonly entries: ReadonlyMap<number, XrefEntry>;
  /** Of the newest section: source texts by key. */
  readonly trailer: ReadonlyMap<string, string>;
  /** The newest section is a stream: an appended one must be a stream too. */
  readonly isStream: boolean;
  readonly startxref: number;
  /** The next free object number: above `Size` and every entry. */
  readonly size: number;
  readonly sections: number;
  readonly isHybrid: boolean;
};
