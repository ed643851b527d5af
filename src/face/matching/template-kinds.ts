/** A face as the recogniser in use describes it: the bundled pair, or one that the operator added. */
export type Template = PairTemplate | SingleTemplate;

/** A face's two unit vectors with the bundled recognisers that made them. */
export type PairTemplate = {
  /** Names models, preprocessing and centring: templates of different recognisers are never compared. */
  readonly recogniser: string;
  readonly dlib: Float32Array;
  /** Centred by the reference mean, unit length. */
  readonly faceres: Float32Array;
  /** How common the face looks to the recognisers (`commonness.ts`), in impostor deviations. */
  readonly commonness: number;
  /** Whose cohort says so: that which ships where absent. */
  readonly cohort?: "own";
};

/** The vectors by which the bundled recognisers compare faces. */
export type Vectors = Pick<PairTemplate, "dlib" | "faceres">;

/** A face as one added recogniser describes it. */
export type SingleTemplate = {
  /** Names network, preparation of its input and aligner (`nameRecogniser`). */
  readonly recogniser: string;
  /** Unit length. */
  readonly vector: Float32Array;
};

/** Whether a template is of the bundled pair. */
export const isPair = (template: Template): template is PairTemplate => "dlib" in template;

/** Unit vectors of a template: dlib and faceres, or that of the added recogniser. */
export const vectorsOf = (template: Template): readonly Float32Array[] =>
  isPair(template) ? [template.dlib, template.faceres] : [template.vector];
