/** Another lease holder has the validation. This run must write nothing more. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}
