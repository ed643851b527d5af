/** A row that the service did not write as it stands. Names table and id, and never its content. */
export class RowFault extends Error {
  override readonly name = "RowFault";
}
