/*!
* Seals pictures to an Idem deployment: `import { sealToken } from "./sealing.js"`. Runs in browsers (secure context) and in
* Node 20 or later, and imports nothing. Written by `npm run golden` from src/trust/tokens/seal.ts (Apache-2.0) and two packages:
*
* @hpke/core
* MIT License
*
* Copyright (c) 2023 Ajitomi Daisuke
*
* Permission is hereby granted, free of charge, to any person obtaining a copy
* of this software and associated documentation files (the "Software"), to deal
* in the Software without restriction, including without limitation the rights
* to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
* copies of the Software, and to permit persons to whom the Software is
* furnished to do so, subject to the following conditions:
*
* The above copyright notice and this permission notice shall be included in all
* copies or substantial portions of the Software.
*
* THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
* IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
* FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
* AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
* LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
* OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
* SOFTWARE.
*
* @hpke/common
* MIT License
*
* Copyright (c) 2024 Ajitomi Daisuke
*
* Permission is hereby granted, free of charge, to any person obtaining a copy
* of this software and associated documentation files (the "Software"), to deal
* in the Software without restriction, including without limitation the rights
* to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
* copies of the Software, and to permit persons to whom the Software is
* furnished to do so, subject to the following conditions:
*
* The above copyright notice and this permission notice shall be included in all
* copies or substantial portions of the Software.
*
* THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
* IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
* FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
* AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
* LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
* OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
* SOFTWARE.
*/
const version = 1;
const magic = [
	73,
	68,
	77
];
const kindNumbers = {
	"best-image": 1,
	"face-image": 2,
	template: 3,
	ocr: 4,
	"document-image": 5,
	tracking: 6
};
const tokenKinds = [
	"best-image",
	"face-image",
	"template",
	"ocr",
	"document-image",
	"tracking"
];
const sealingInfo = new TextEncoder().encode("idem token v1");
const writeHeader = (header) => {
	if (!Object.hasOwn(kindNumbers, header.kind)) throw new TypeError(`There is no token of the kind ${header.kind}. Kinds: ${tokenKinds.join(", ")}`);
	const bytes = new Uint8Array(22);
	bytes.set(magic, 0);
	bytes[3] = version;
	bytes[4] = kindNumbers[header.kind];
	bytes.set(header.keyId.subarray(0, 8), 6);
	new DataView(bytes.buffer).setBigUint64(14, BigInt(header.issuedAtMs));
	return bytes;
};
// node_modules/@hpke/common/esm/src/errors.js
var HpkeError = class extends Error {
	constructor(e) {
		let message;
		if (e instanceof Error) message = e.message;
		else if (typeof e === "string") message = e;
		else message = "";
		super(message);
		this.name = this.constructor.name;
	}
};
var InvalidParamError = class extends HpkeError {};
var SerializeError = class extends HpkeError {};
var DeserializeError = class extends HpkeError {};
var EncapError = class extends HpkeError {};
var DecapError = class extends HpkeError {};
var ExportError = class extends HpkeError {};
var SealError = class extends HpkeError {};
var OpenError = class extends HpkeError {};
var MessageLimitReachedError = class extends HpkeError {};
var DeriveKeyPairError = class extends HpkeError {};
var NotSupportedError = class extends HpkeError {};
const dntGlobalThis = createMergeProxy(globalThis, {});
function createMergeProxy(baseObj, extObj) {
	return new Proxy(baseObj, {
		get(_target, prop, _receiver) {
			if (prop in extObj) return extObj[prop];
			else return baseObj[prop];
		},
		set(_target, prop, value) {
			if (prop in extObj) delete extObj[prop];
			baseObj[prop] = value;
			return true;
		},
		deleteProperty(_target, prop) {
			let success = false;
			if (prop in extObj) {
				delete extObj[prop];
				success = true;
			}
			if (prop in baseObj) {
				delete baseObj[prop];
				success = true;
			}
			return success;
		},
		ownKeys(_target) {
			const baseKeys = Reflect.ownKeys(baseObj);
			const extKeys = Reflect.ownKeys(extObj);
			const extKeysSet = new Set(extKeys);
			return [...baseKeys.filter((k) => !extKeysSet.has(k)), ...extKeys];
		},
		defineProperty(_target, prop, desc) {
			if (prop in extObj) delete extObj[prop];
			Reflect.defineProperty(baseObj, prop, desc);
			return true;
		},
		getOwnPropertyDescriptor(_target, prop) {
			if (prop in extObj) return Reflect.getOwnPropertyDescriptor(extObj, prop);
			else return Reflect.getOwnPropertyDescriptor(baseObj, prop);
		},
		has(_target, prop) {
			return prop in extObj || prop in baseObj;
		}
	});
}
// node_modules/@hpke/common/esm/src/algorithm.js
async function loadSubtleCrypto() {
	if (dntGlobalThis !== void 0 && globalThis.crypto !== void 0) return globalThis.crypto.subtle;
	try {
		const { webcrypto } = await import("crypto");
		return webcrypto.subtle;
	} catch (e) {
		throw new NotSupportedError(e);
	}
}
var NativeAlgorithm = class {
	constructor() {
		Object.defineProperty(this, "_api", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
	}
	async _setup() {
		if (this._api !== void 0) return;
		this._api = await loadSubtleCrypto();
	}
};
// node_modules/@hpke/common/esm/src/identifiers.js
const Mode = {
	Base: 0,
	Psk: 1,
	Auth: 2,
	AuthPsk: 3
};
const KemId = {
	NotAssigned: 0,
	DhkemP256HkdfSha256: 16,
	DhkemP384HkdfSha384: 17,
	DhkemP521HkdfSha512: 18,
	DhkemSecp256k1HkdfSha256: 19,
	DhkemX25519HkdfSha256: 32,
	DhkemX448HkdfSha512: 33,
	HybridkemX25519Kyber768: 48,
	MlKem512: 64,
	MlKem768: 65,
	MlKem1024: 66,
	XWing: 25722
};
const KdfId = {
	HkdfSha256: 1,
	HkdfSha384: 2,
	HkdfSha512: 3,
	Sha3256: 4,
	Sha3384: 5,
	Sha3512: 6,
	Shake128: 16,
	Shake256: 17,
	TurboShake128: 18,
	TurboShake256: 19
};
const AeadId = {
	Aes128Gcm: 1,
	Aes256Gcm: 2,
	Chacha20Poly1305: 3,
	ExportOnly: 65535
};
const EMPTY = new Uint8Array(0);
const BYTE_TO_BIGINT_256 = (() => {
	const out = new Array(256);
	let i = 0;
	let value = 0n;
	while (i < 256) {
		out[i] = value;
		i++;
		value += 1n;
	}
	return out;
})();
// node_modules/@hpke/common/esm/src/interfaces/kemInterface.js
const SUITE_ID_HEADER_KEM = new Uint8Array([
	75,
	69,
	77,
	0,
	0
]);
// node_modules/@hpke/common/esm/src/kdfs/hkdf.js
const HPKE_VERSION = new Uint8Array([
	72,
	80,
	75,
	69,
	45,
	118,
	49
]);
function toUint8Array(input) {
	return new Uint8Array(toArrayBuffer(input));
}
function toArrayBuffer(input) {
	if (input instanceof ArrayBuffer) return input;
	if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength).slice().buffer;
	return new Uint8Array(input).slice().buffer;
}
var HkdfNative = class extends NativeAlgorithm {
	constructor() {
		super();
		Object.defineProperty(this, "id", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: KdfId.HkdfSha256
		});
		Object.defineProperty(this, "hashSize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 0
		});
		Object.defineProperty(this, "_suiteId", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: EMPTY
		});
		Object.defineProperty(this, "algHash", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: {
				name: "HMAC",
				hash: "SHA-256",
				length: 256
			}
		});
	}
	init(suiteId) {
		this._suiteId = suiteId;
	}
	buildLabeledIkm(label, ikm) {
		this._checkInit();
		const ret = new Uint8Array(7 + this._suiteId.byteLength + label.byteLength + ikm.byteLength);
		ret.set(HPKE_VERSION, 0);
		ret.set(this._suiteId, 7);
		ret.set(label, 7 + this._suiteId.byteLength);
		ret.set(ikm, 7 + this._suiteId.byteLength + label.byteLength);
		return ret;
	}
	buildLabeledInfo(label, info, len) {
		this._checkInit();
		const ret = new Uint8Array(9 + this._suiteId.byteLength + label.byteLength + info.byteLength);
		ret.set(new Uint8Array([0, len]), 0);
		ret.set(HPKE_VERSION, 2);
		ret.set(this._suiteId, 9);
		ret.set(label, 9 + this._suiteId.byteLength);
		ret.set(info, 9 + this._suiteId.byteLength + label.byteLength);
		return ret;
	}
	async extract(salt, ikm) {
		await this._setup();
		const saltBuf = salt.byteLength === 0 ? new ArrayBuffer(this.hashSize) : toArrayBuffer(salt);
		if (saltBuf.byteLength !== this.hashSize) throw new InvalidParamError("The salt length must be the same as the hashSize");
		const ikmBuf = toArrayBuffer(ikm);
		const key = await this._api.importKey("raw", saltBuf, this.algHash, false, ["sign"]);
		return await this._api.sign("HMAC", key, ikmBuf);
	}
	async expand(prk, info, len) {
		await this._setup();
		const prkBuf = toArrayBuffer(prk);
		const key = await this._api.importKey("raw", prkBuf, this.algHash, false, ["sign"]);
		const okm = new ArrayBuffer(len);
		const okmBytes = new Uint8Array(okm);
		let prev = EMPTY;
		const mid = toUint8Array(info);
		const tail = new Uint8Array(1);
		if (len > 255 * this.hashSize) throw new Error("Entropy limit reached");
		const tmp = new Uint8Array(this.hashSize + mid.length + 1);
		for (let i = 1, cur = 0; cur < okmBytes.length; i++) {
			tail[0] = i;
			tmp.set(prev, 0);
			tmp.set(mid, prev.length);
			tmp.set(tail, prev.length + mid.length);
			prev = new Uint8Array(await this._api.sign("HMAC", key, tmp.slice(0, prev.length + mid.length + 1)));
			if (okmBytes.length - cur >= prev.length) {
				okmBytes.set(prev, cur);
				cur += prev.length;
			} else {
				okmBytes.set(prev.slice(0, okmBytes.length - cur), cur);
				cur += okmBytes.length - cur;
			}
		}
		return okm;
	}
	async extractAndExpand(salt, ikm, info, len) {
		await this._setup();
		const ikmBuf = toArrayBuffer(ikm);
		const baseKey = await this._api.importKey("raw", ikmBuf, "HKDF", false, ["deriveBits"]);
		return await this._api.deriveBits({
			name: "HKDF",
			hash: this.algHash.hash,
			salt: toArrayBuffer(salt),
			info: toArrayBuffer(info)
		}, baseKey, len * 8);
	}
	async labeledExtract(salt, label, ikm) {
		return await this.extract(salt, this.buildLabeledIkm(label, ikm));
	}
	async labeledExpand(prk, label, info, len) {
		return await this.expand(prk, this.buildLabeledInfo(label, info, len), len);
	}
	_checkInit() {
		if (this._suiteId === EMPTY) throw new Error("Not initialized. Call init()");
	}
};
var HkdfSha256Native = class extends HkdfNative {
	constructor() {
		super(...arguments);
		Object.defineProperty(this, "id", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: KdfId.HkdfSha256
		});
		Object.defineProperty(this, "hashSize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 32
		});
		Object.defineProperty(this, "algHash", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: {
				name: "HMAC",
				hash: "SHA-256",
				length: 256
			}
		});
	}
};
// node_modules/@hpke/common/esm/src/utils/misc.js
const isCryptoKeyPair = (x) => typeof x === "object" && x !== null && typeof x.privateKey === "object" && typeof x.publicKey === "object";
function i2Osp(n, w) {
	if (w <= 0) throw new Error("i2Osp: too small size");
	if (n >= 256 ** w) throw new Error("i2Osp: too large integer");
	const ret = new Uint8Array(w);
	for (let i = 0; i < w && n; i++) {
		ret[w - (i + 1)] = n % 256;
		n = Math.floor(n / 256);
	}
	return ret;
}
function concat(a, b) {
	const ret = new Uint8Array(a.length + b.length);
	ret.set(a, 0);
	ret.set(b, a.length);
	return ret;
}
function base64UrlToBytes(v) {
	const base64 = v.replace(/-/g, "+").replace(/_/g, "/");
	const byteString = atob(base64);
	const ret = new Uint8Array(byteString.length);
	for (let i = 0; i < byteString.length; i++) ret[i] = byteString.charCodeAt(i);
	return ret;
}
function xor(a, b) {
	if (a.byteLength !== b.byteLength) throw new Error("xor: different length inputs");
	const buf = new Uint8Array(a.byteLength);
	for (let i = 0; i < a.byteLength; i++) buf[i] = a[i] ^ b[i];
	return buf;
}
// node_modules/@hpke/common/esm/src/kems/dhkem.js
const LABEL_EAE_PRK = new Uint8Array([
	101,
	97,
	101,
	95,
	112,
	114,
	107
]);
const LABEL_SHARED_SECRET = new Uint8Array([
	115,
	104,
	97,
	114,
	101,
	100,
	95,
	115,
	101,
	99,
	114,
	101,
	116
]);
function concat3(a, b, c) {
	const ret = new Uint8Array(a.length + b.length + c.length);
	ret.set(a, 0);
	ret.set(b, a.length);
	ret.set(c, a.length + b.length);
	return ret;
}
var Dhkem = class {
	constructor(id, prim, kdf) {
		Object.defineProperty(this, "id", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "secretSize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 0
		});
		Object.defineProperty(this, "encSize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 0
		});
		Object.defineProperty(this, "publicKeySize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 0
		});
		Object.defineProperty(this, "privateKeySize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 0
		});
		Object.defineProperty(this, "_prim", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_kdf", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		this.id = id;
		this._prim = prim;
		this._kdf = kdf;
		const suiteId = new Uint8Array(SUITE_ID_HEADER_KEM);
		suiteId.set(i2Osp(this.id, 2), 3);
		this._kdf.init(suiteId);
	}
	async serializePublicKey(key) {
		return await this._prim.serializePublicKey(key);
	}
	async deserializePublicKey(key) {
		return await this._prim.deserializePublicKey(toArrayBuffer(key));
	}
	async serializePrivateKey(key) {
		return await this._prim.serializePrivateKey(key);
	}
	async deserializePrivateKey(key) {
		return await this._prim.deserializePrivateKey(toArrayBuffer(key));
	}
	async importKey(format, key, isPublic = true) {
		return await this._prim.importKey(format, key, isPublic);
	}
	async generateKeyPair() {
		return await this._prim.generateKeyPair();
	}
	async deriveKeyPair(ikm) {
		const rawIkm = toArrayBuffer(ikm);
		if (rawIkm.byteLength > 8192) throw new InvalidParamError("Too long ikm");
		return await this._prim.deriveKeyPair(rawIkm);
	}
	async encap(params) {
		let ke;
		if (params.ekm === void 0) ke = await this.generateKeyPair();
		else if (isCryptoKeyPair(params.ekm)) ke = params.ekm;
		else ke = await this.deriveKeyPair(params.ekm);
		const enc = await this._prim.serializePublicKey(ke.publicKey);
		const pkrm = await this._prim.serializePublicKey(params.recipientPublicKey);
		try {
			let dh;
			if (params.senderKey === void 0) dh = new Uint8Array(await this._prim.dh(ke.privateKey, params.recipientPublicKey));
			else {
				const sks = isCryptoKeyPair(params.senderKey) ? params.senderKey.privateKey : params.senderKey;
				dh = concat(new Uint8Array(await this._prim.dh(ke.privateKey, params.recipientPublicKey)), new Uint8Array(await this._prim.dh(sks, params.recipientPublicKey)));
			}
			let kemContext;
			if (params.senderKey === void 0) kemContext = concat(new Uint8Array(enc), new Uint8Array(pkrm));
			else {
				const pks = isCryptoKeyPair(params.senderKey) ? params.senderKey.publicKey : await this._prim.derivePublicKey(params.senderKey);
				const pksm = await this._prim.serializePublicKey(pks);
				kemContext = concat3(new Uint8Array(enc), new Uint8Array(pkrm), new Uint8Array(pksm));
			}
			return {
				enc,
				sharedSecret: await this._generateSharedSecret(dh, kemContext)
			};
		} catch (e) {
			throw new EncapError(e);
		}
	}
	async decap(params) {
		const enc = toArrayBuffer(params.enc);
		const pke = await this._prim.deserializePublicKey(enc);
		const skr = isCryptoKeyPair(params.recipientKey) ? params.recipientKey.privateKey : params.recipientKey;
		const pkr = isCryptoKeyPair(params.recipientKey) ? params.recipientKey.publicKey : await this._prim.derivePublicKey(params.recipientKey);
		const pkrm = await this._prim.serializePublicKey(pkr);
		try {
			let dh;
			if (params.senderPublicKey === void 0) dh = new Uint8Array(await this._prim.dh(skr, pke));
			else dh = concat(new Uint8Array(await this._prim.dh(skr, pke)), new Uint8Array(await this._prim.dh(skr, params.senderPublicKey)));
			let kemContext;
			if (params.senderPublicKey === void 0) kemContext = concat(new Uint8Array(enc), new Uint8Array(pkrm));
			else {
				const pksm = await this._prim.serializePublicKey(params.senderPublicKey);
				kemContext = new Uint8Array(enc.byteLength + pkrm.byteLength + pksm.byteLength);
				kemContext.set(new Uint8Array(enc), 0);
				kemContext.set(new Uint8Array(pkrm), enc.byteLength);
				kemContext.set(new Uint8Array(pksm), enc.byteLength + pkrm.byteLength);
			}
			return await this._generateSharedSecret(dh, kemContext);
		} catch (e) {
			throw new DecapError(e);
		}
	}
	async _generateSharedSecret(dh, kemContext) {
		const labeledIkm = this._kdf.buildLabeledIkm(LABEL_EAE_PRK, dh);
		const labeledInfo = this._kdf.buildLabeledInfo(LABEL_SHARED_SECRET, kemContext, this.secretSize);
		return await this._kdf.extractAndExpand(EMPTY, labeledIkm, labeledInfo, this.secretSize);
	}
};
// node_modules/@hpke/common/esm/src/interfaces/dhkemPrimitives.js
const KEM_USAGES = ["deriveBits"];
const LABEL_DKP_PRK = new Uint8Array([
	100,
	107,
	112,
	95,
	112,
	114,
	107
]);
// node_modules/@hpke/common/esm/src/utils/bignum.js
var Bignum = class {
	constructor(size) {
		Object.defineProperty(this, "_num", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		this._num = new Uint8Array(size);
	}
	val() {
		return this._num;
	}
	reset() {
		this._num.fill(0);
	}
	set(src) {
		if (src.length !== this._num.length) throw new Error("Bignum.set: invalid argument");
		this._num.set(src);
	}
	isZero() {
		for (let i = 0; i < this._num.length; i++) if (this._num[i] !== 0) return false;
		return true;
	}
	lessThan(v) {
		if (v.length !== this._num.length) throw new Error("Bignum.lessThan: invalid argument");
		for (let i = 0; i < this._num.length; i++) {
			if (this._num[i] < v[i]) return true;
			if (this._num[i] > v[i]) return false;
		}
		return false;
	}
};
// node_modules/@hpke/common/esm/src/kems/dhkemPrimitives/ec.js
const LABEL_CANDIDATE = new Uint8Array([
	99,
	97,
	110,
	100,
	105,
	100,
	97,
	116,
	101
]);
const ORDER_P_256 = new Uint8Array([
	255,
	255,
	255,
	255,
	0,
	0,
	0,
	0,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	188,
	230,
	250,
	173,
	167,
	23,
	158,
	132,
	243,
	185,
	202,
	194,
	252,
	99,
	37,
	81
]);
const ORDER_P_384 = new Uint8Array([
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	199,
	99,
	77,
	129,
	244,
	55,
	45,
	223,
	88,
	26,
	13,
	178,
	72,
	176,
	167,
	122,
	236,
	236,
	25,
	106,
	204,
	197,
	41,
	115
]);
const ORDER_P_521 = new Uint8Array([
	1,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	255,
	250,
	81,
	134,
	135,
	131,
	191,
	47,
	150,
	107,
	127,
	204,
	1,
	72,
	247,
	9,
	165,
	208,
	59,
	181,
	201,
	184,
	137,
	156,
	71,
	174,
	187,
	111,
	183,
	30,
	145,
	56,
	100,
	9
]);
const PKCS8_ALG_ID_P_256 = new Uint8Array([
	48,
	65,
	2,
	1,
	0,
	48,
	19,
	6,
	7,
	42,
	134,
	72,
	206,
	61,
	2,
	1,
	6,
	8,
	42,
	134,
	72,
	206,
	61,
	3,
	1,
	7,
	4,
	39,
	48,
	37,
	2,
	1,
	1,
	4,
	32
]);
const PKCS8_ALG_ID_P_384 = new Uint8Array([
	48,
	78,
	2,
	1,
	0,
	48,
	16,
	6,
	7,
	42,
	134,
	72,
	206,
	61,
	2,
	1,
	6,
	5,
	43,
	129,
	4,
	0,
	34,
	4,
	55,
	48,
	53,
	2,
	1,
	1,
	4,
	48
]);
const PKCS8_ALG_ID_P_521 = new Uint8Array([
	48,
	96,
	2,
	1,
	0,
	48,
	16,
	6,
	7,
	42,
	134,
	72,
	206,
	61,
	2,
	1,
	6,
	5,
	43,
	129,
	4,
	0,
	35,
	4,
	73,
	48,
	71,
	2,
	1,
	1,
	4,
	66
]);
const EC_P_256_PARAMS = {
	p: 115792089210356248762697446949407573530086143415290314195533631308867097853951n,
	b: 41058363725152142129326129780047268409114441015993725554835256314039467401291n,
	gx: 48439561293906451759052585252797914202762949526041747995844080717082404635286n,
	gy: 36134250956749795798585127919587881956611106672985015071877198253568414405109n,
	coordinateSize: 32
};
const EC_P_384_PARAMS = {
	p: 39402006196394479212279040100143613805079739270465446667948293404245721771496870329047266088258938001861606973112319n,
	b: 27580193559959705877849011840389048093056905856361568521428707301988689241309860865136260764883745107765439761230575n,
	gx: 26247035095799689268623156744566981891852923491109213387815615900925518854738050089022388053975719786650872476732087n,
	gy: 8325710961489029985546751289520108179287853048861315594709205902480503199884419224438643760392947333078086511627871n,
	coordinateSize: 48
};
const EC_P_521_PARAMS = {
	p: (1n << 521n) - 1n,
	b: 1093849038073734274511112390766805569936207598951683748994586394495953116150735016013708737573759623248592132296706313309438452531591012912142327488478985984n,
	gx: 2661740802050217063228768716723360960729859168756973147706671368418802944996427808491545080627771902352094241225065558662157113545570916814161637315895999846n,
	gy: 3757180025770020463545507224491183603594455134769762486694567779615544477440556316691234405012945539562144444537289428522585666729196580810124344277578376784n,
	coordinateSize: 66
};
function mod(a, p) {
	const r = a % p;
	return r >= 0n ? r : r + p;
}
function modPow(base, exponent, p) {
	let result = 1n;
	let b = mod(base, p);
	let e = exponent;
	while (e > 0n) {
		if ((e & 1n) === 1n) result = mod(result * b, p);
		b = mod(b * b, p);
		e >>= 1n;
	}
	return result;
}
function modSqrt(rhs, p) {
	const y = modPow(rhs, p + 1n >> 2n, p);
	if (mod(y * y, p) !== mod(rhs, p)) throw new Error("Invalid ECDH point");
	return y;
}
function bytesToBigInt(bytes) {
	let v = 0n;
	for (const b of bytes) v = v << 8n | BYTE_TO_BIGINT_256[b];
	return v;
}
function bigIntToBytes(v, len) {
	const out = new Uint8Array(len);
	let n = v;
	for (let i = len - 1; i >= 0; i--) {
		out[i] = Number(n & 255n);
		n >>= 8n;
	}
	if (n !== 0n) throw new Error("Invalid coordinate length");
	return out;
}
function buildRawUncompressedPublicKey(x, y, coordinateSize) {
	const out = new Uint8Array(1 + coordinateSize * 2);
	out[0] = 4;
	out.set(bigIntToBytes(x, coordinateSize), 1);
	out.set(bigIntToBytes(y, coordinateSize), 1 + coordinateSize);
	return out;
}
var Ec = class extends NativeAlgorithm {
	constructor(kem, hkdf) {
		super();
		Object.defineProperty(this, "_hkdf", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_alg", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_nPk", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_nSk", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_nDh", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_order", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_bitmask", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_pkcs8AlgId", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_curveParams", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		this._hkdf = hkdf;
		switch (kem) {
			case KemId.DhkemP256HkdfSha256:
				this._alg = {
					name: "ECDH",
					namedCurve: "P-256"
				};
				this._nPk = 65;
				this._nSk = 32;
				this._nDh = 32;
				this._order = ORDER_P_256;
				this._bitmask = 255;
				this._pkcs8AlgId = PKCS8_ALG_ID_P_256;
				this._curveParams = EC_P_256_PARAMS;
				break;
			case KemId.DhkemP384HkdfSha384:
				this._alg = {
					name: "ECDH",
					namedCurve: "P-384"
				};
				this._nPk = 97;
				this._nSk = 48;
				this._nDh = 48;
				this._order = ORDER_P_384;
				this._bitmask = 255;
				this._pkcs8AlgId = PKCS8_ALG_ID_P_384;
				this._curveParams = EC_P_384_PARAMS;
				break;
			default:
				this._alg = {
					name: "ECDH",
					namedCurve: "P-521"
				};
				this._nPk = 133;
				this._nSk = 66;
				this._nDh = 66;
				this._order = ORDER_P_521;
				this._bitmask = 1;
				this._pkcs8AlgId = PKCS8_ALG_ID_P_521;
				this._curveParams = EC_P_521_PARAMS;
		}
	}
	async serializePublicKey(key) {
		await this._setup();
		try {
			return await this._api.exportKey("raw", key);
		} catch (e) {
			throw new SerializeError(e);
		}
	}
	async deserializePublicKey(key) {
		await this._setup();
		try {
			return await this._importRawKey(toArrayBuffer(key), true);
		} catch (e) {
			throw new DeserializeError(e);
		}
	}
	async serializePrivateKey(key) {
		await this._setup();
		try {
			const jwk = await this._api.exportKey("jwk", key);
			if (!("d" in jwk)) throw new Error("Not private key");
			return base64UrlToBytes(jwk["d"]).buffer;
		} catch (e) {
			throw new SerializeError(e);
		}
	}
	async deserializePrivateKey(key) {
		await this._setup();
		try {
			return await this._importRawKey(toArrayBuffer(key), false);
		} catch (e) {
			throw new DeserializeError(e);
		}
	}
	async importKey(format, key, isPublic) {
		await this._setup();
		try {
			if (format === "raw") return await this._importRawKey(key, isPublic);
			if (key instanceof ArrayBuffer) throw new Error("Invalid jwk key format");
			return await this._importJWK(key, isPublic);
		} catch (e) {
			throw new DeserializeError(e);
		}
	}
	async generateKeyPair() {
		await this._setup();
		try {
			return await this._api.generateKey(this._alg, true, KEM_USAGES);
		} catch (e) {
			throw new NotSupportedError(e);
		}
	}
	async deriveKeyPair(ikm) {
		await this._setup();
		try {
			const rawIkm = toArrayBuffer(ikm);
			const dkpPrk = await this._hkdf.labeledExtract(EMPTY, LABEL_DKP_PRK, new Uint8Array(rawIkm));
			const bn = new Bignum(this._nSk);
			for (let counter = 0; bn.isZero() || !bn.lessThan(this._order); counter++) {
				if (counter > 255) throw new Error("Faild to derive a key pair");
				const bytes = new Uint8Array(await this._hkdf.labeledExpand(dkpPrk, LABEL_CANDIDATE, i2Osp(counter, 1), this._nSk));
				bytes[0] = bytes[0] & this._bitmask;
				bn.set(bytes);
			}
			const sk = await this._deserializePkcs8Key(bn.val());
			bn.reset();
			return {
				privateKey: sk,
				publicKey: await this.derivePublicKey(sk)
			};
		} catch (e) {
			throw new DeriveKeyPairError(e);
		}
	}
	async derivePublicKey(key) {
		await this._setup();
		try {
			const jwk = await this._api.exportKey("jwk", key);
			delete jwk["d"];
			delete jwk["key_ops"];
			return await this._api.importKey("jwk", jwk, this._alg, true, []);
		} catch {
			try {
				return await this._derivePublicKeyWithoutJwkExport(key);
			} catch (e) {
				throw new DeserializeError(e);
			}
		}
	}
	async dh(sk, pk) {
		try {
			await this._setup();
			return await this._api.deriveBits({
				name: "ECDH",
				public: pk
			}, sk, this._nDh * 8);
		} catch (e) {
			throw new SerializeError(e);
		}
	}
	async _importRawKey(key, isPublic) {
		if (isPublic && key.byteLength !== this._nPk) throw new Error("Invalid public key for the ciphersuite");
		if (!isPublic && key.byteLength !== this._nSk) throw new Error("Invalid private key for the ciphersuite");
		if (isPublic) return await this._api.importKey("raw", key, this._alg, true, []);
		return await this._deserializePkcs8Key(new Uint8Array(key));
	}
	async _importJWK(key, isPublic) {
		if (typeof key.crv === "undefined" || key.crv !== this._alg.namedCurve) throw new Error(`Invalid crv: ${key.crv}`);
		if (isPublic) {
			if (typeof key.d !== "undefined") throw new Error("Invalid key: `d` should not be set");
			return await this._api.importKey("jwk", key, this._alg, true, []);
		}
		if (typeof key.d === "undefined") throw new Error("Invalid key: `d` not found");
		return await this._api.importKey("jwk", key, this._alg, true, KEM_USAGES);
	}
	async _deserializePkcs8Key(k) {
		const pkcs8Key = new Uint8Array(this._pkcs8AlgId.length + k.length);
		pkcs8Key.set(this._pkcs8AlgId, 0);
		pkcs8Key.set(k, this._pkcs8AlgId.length);
		return await this._api.importKey("pkcs8", pkcs8Key, this._alg, true, KEM_USAGES);
	}
	async _derivePublicKeyWithoutJwkExport(key) {
		const basePointRaw = buildRawUncompressedPublicKey(this._curveParams.gx, this._curveParams.gy, this._curveParams.coordinateSize);
		const basePoint = await this._api.importKey("raw", basePointRaw.buffer, this._alg, true, []);
		const xBytes = new Uint8Array(await this._api.deriveBits({
			name: "ECDH",
			public: basePoint
		}, key, this._nDh * 8));
		const p = this._curveParams.p;
		const x = bytesToBigInt(xBytes);
		let y = modSqrt(mod(modPow(x, 3n, p) - 3n * x + this._curveParams.b, p), p);
		if ((y & 1n) === 1n) y = p - y;
		const pubRaw = buildRawUncompressedPublicKey(x, y, this._curveParams.coordinateSize);
		return await this._api.importKey("raw", pubRaw.buffer, this._alg, true, []);
	}
};
// node_modules/@hpke/common/esm/src/interfaces/aeadEncryptionContext.js
const AEAD_USAGES = ["encrypt", "decrypt"];
// node_modules/@hpke/core/esm/src/aeads/aesGcm.js
var AesGcmContext = class extends NativeAlgorithm {
	constructor(key) {
		super();
		Object.defineProperty(this, "_rawKey", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_key", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		this._rawKey = toArrayBuffer(key);
	}
	async seal(iv, data, aad) {
		await this._setupKey();
		const alg = {
			name: "AES-GCM",
			iv: toArrayBuffer(iv),
			additionalData: toArrayBuffer(aad)
		};
		return await this._api.encrypt(alg, this._key, toArrayBuffer(data));
	}
	async open(iv, data, aad) {
		await this._setupKey();
		const alg = {
			name: "AES-GCM",
			iv: toArrayBuffer(iv),
			additionalData: toArrayBuffer(aad)
		};
		return await this._api.decrypt(alg, this._key, toArrayBuffer(data));
	}
	async _setupKey() {
		if (this._key !== void 0) return;
		await this._setup();
		const key = await this._importKey(this._rawKey);
		new Uint8Array(this._rawKey).fill(0);
		this._key = key;
	}
	async _importKey(key) {
		return await this._api.importKey("raw", key, { name: "AES-GCM" }, true, AEAD_USAGES);
	}
};
var Aes128Gcm = class {
	constructor() {
		Object.defineProperty(this, "id", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: AeadId.Aes128Gcm
		});
		Object.defineProperty(this, "keySize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 16
		});
		Object.defineProperty(this, "nonceSize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 12
		});
		Object.defineProperty(this, "tagSize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 16
		});
	}
	createEncryptionContext(key) {
		return new AesGcmContext(key);
	}
};
var Aes256Gcm = class extends Aes128Gcm {
	constructor() {
		super(...arguments);
		Object.defineProperty(this, "id", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: AeadId.Aes256Gcm
		});
		Object.defineProperty(this, "keySize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 32
		});
		Object.defineProperty(this, "nonceSize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 12
		});
		Object.defineProperty(this, "tagSize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 16
		});
	}
};
// node_modules/@hpke/core/esm/src/utils/emitNotSupported.js
function emitNotSupported() {
	return new Promise((_resolve, reject) => {
		reject(new NotSupportedError("Not supported"));
	});
}
// node_modules/@hpke/core/esm/src/exporterContext.js
const LABEL_SEC = new Uint8Array([
	115,
	101,
	99
]);
var ExporterContextImpl = class {
	constructor(api, kdf, exporterSecret) {
		Object.defineProperty(this, "_api", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "exporterSecret", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_kdf", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		this._api = api;
		this._kdf = kdf;
		this.exporterSecret = exporterSecret;
	}
	async seal(_data, _aad) {
		return await emitNotSupported();
	}
	async open(_data, _aad) {
		return await emitNotSupported();
	}
	async export(exporterContext, len) {
		const rawExporterContext = toArrayBuffer(exporterContext);
		if (rawExporterContext.byteLength > 8192) throw new InvalidParamError("Too long exporter context");
		try {
			return await this._kdf.labeledExpand(this.exporterSecret, LABEL_SEC, new Uint8Array(rawExporterContext), len);
		} catch (e) {
			throw new ExportError(e);
		}
	}
};
var RecipientExporterContextImpl = class extends ExporterContextImpl {};
var SenderExporterContextImpl = class extends ExporterContextImpl {
	constructor(api, kdf, exporterSecret, enc) {
		super(api, kdf, exporterSecret);
		Object.defineProperty(this, "enc", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		this.enc = enc;
	}
};
// node_modules/@hpke/core/esm/src/encryptionContext.js
var EncryptionContextImpl = class extends ExporterContextImpl {
	constructor(api, kdf, params) {
		super(api, kdf, params.exporterSecret);
		Object.defineProperty(this, "_aead", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_nK", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_nN", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_nT", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_ctx", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		if (params.key === void 0 || params.baseNonce === void 0 || params.seq === void 0) throw new Error("Required parameters are missing");
		this._aead = params.aead;
		this._nK = this._aead.keySize;
		this._nN = this._aead.nonceSize;
		this._nT = this._aead.tagSize;
		const key = this._aead.createEncryptionContext(params.key);
		this._ctx = {
			key,
			baseNonce: params.baseNonce,
			seq: params.seq
		};
	}
	computeNonce(k) {
		const seqBytes = i2Osp(k.seq, k.baseNonce.byteLength);
		return xor(k.baseNonce, seqBytes).buffer;
	}
	incrementSeq(k) {
		if (k.seq > Number.MAX_SAFE_INTEGER) throw new MessageLimitReachedError("Message limit reached");
		k.seq += 1;
	}
};
// node_modules/@hpke/core/esm/src/mutex.js
var __classPrivateFieldGet$2 = function(receiver, state, kind, f) {
	if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a getter");
	if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot read private member from an object whose class did not declare it");
	return kind === "m" ? f : kind === "a" ? f.call(receiver) : f ? f.value : state.get(receiver);
};
var __classPrivateFieldSet$2 = function(receiver, state, value, kind, f) {
	if (kind === "m") throw new TypeError("Private method is not writable");
	if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a setter");
	if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot write private member to an object whose class did not declare it");
	return kind === "a" ? f.call(receiver, value) : f ? f.value = value : state.set(receiver, value), value;
};
var _Mutex_locked;
var Mutex = class {
	constructor() {
		_Mutex_locked.set(this, Promise.resolve());
	}
	async lock() {
		let releaseLock;
		const nextLock = new Promise((resolve) => {
			releaseLock = resolve;
		});
		const previousLock = __classPrivateFieldGet$2(this, _Mutex_locked, "f");
		__classPrivateFieldSet$2(this, _Mutex_locked, nextLock, "f");
		await previousLock;
		return releaseLock;
	}
};
_Mutex_locked = new WeakMap();
// node_modules/@hpke/core/esm/src/recipientContext.js
var __classPrivateFieldGet$1 = function(receiver, state, kind, f) {
	if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a getter");
	if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot read private member from an object whose class did not declare it");
	return kind === "m" ? f : kind === "a" ? f.call(receiver) : f ? f.value : state.get(receiver);
};
var __classPrivateFieldSet$1 = function(receiver, state, value, kind, f) {
	if (kind === "m") throw new TypeError("Private method is not writable");
	if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a setter");
	if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot write private member to an object whose class did not declare it");
	return kind === "a" ? f.call(receiver, value) : f ? f.value = value : state.set(receiver, value), value;
};
var _RecipientContextImpl_mutex;
var RecipientContextImpl = class extends EncryptionContextImpl {
	constructor() {
		super(...arguments);
		_RecipientContextImpl_mutex.set(this, void 0);
	}
	async open(data, aad = EMPTY.buffer) {
		__classPrivateFieldSet$1(this, _RecipientContextImpl_mutex, __classPrivateFieldGet$1(this, _RecipientContextImpl_mutex, "f") ?? new Mutex(), "f");
		const release = await __classPrivateFieldGet$1(this, _RecipientContextImpl_mutex, "f").lock();
		let pt;
		try {
			pt = await this._ctx.key.open(this.computeNonce(this._ctx), toArrayBuffer(data), toArrayBuffer(aad));
		} catch (e) {
			throw new OpenError(e);
		} finally {
			release();
		}
		this.incrementSeq(this._ctx);
		return pt;
	}
};
_RecipientContextImpl_mutex = new WeakMap();
// node_modules/@hpke/core/esm/src/senderContext.js
var __classPrivateFieldGet = function(receiver, state, kind, f) {
	if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a getter");
	if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot read private member from an object whose class did not declare it");
	return kind === "m" ? f : kind === "a" ? f.call(receiver) : f ? f.value : state.get(receiver);
};
var __classPrivateFieldSet = function(receiver, state, value, kind, f) {
	if (kind === "m") throw new TypeError("Private method is not writable");
	if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a setter");
	if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot write private member to an object whose class did not declare it");
	return kind === "a" ? f.call(receiver, value) : f ? f.value = value : state.set(receiver, value), value;
};
var _SenderContextImpl_mutex;
var SenderContextImpl = class extends EncryptionContextImpl {
	constructor(api, kdf, params, enc) {
		super(api, kdf, params);
		Object.defineProperty(this, "enc", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		_SenderContextImpl_mutex.set(this, void 0);
		this.enc = enc;
	}
	async seal(data, aad = EMPTY.buffer) {
		__classPrivateFieldSet(this, _SenderContextImpl_mutex, __classPrivateFieldGet(this, _SenderContextImpl_mutex, "f") ?? new Mutex(), "f");
		const release = await __classPrivateFieldGet(this, _SenderContextImpl_mutex, "f").lock();
		let ct;
		try {
			ct = await this._ctx.key.seal(this.computeNonce(this._ctx), toArrayBuffer(data), toArrayBuffer(aad));
		} catch (e) {
			throw new SealError(e);
		} finally {
			release();
		}
		this.incrementSeq(this._ctx);
		return ct;
	}
};
_SenderContextImpl_mutex = new WeakMap();
// node_modules/@hpke/core/esm/src/cipherSuiteNative.js
const LABEL_BASE_NONCE = new Uint8Array([
	98,
	97,
	115,
	101,
	95,
	110,
	111,
	110,
	99,
	101
]);
const LABEL_EXP = new Uint8Array([
	101,
	120,
	112
]);
const LABEL_INFO_HASH = new Uint8Array([
	105,
	110,
	102,
	111,
	95,
	104,
	97,
	115,
	104
]);
const LABEL_KEY = new Uint8Array([
	107,
	101,
	121
]);
const LABEL_PSK_ID_HASH = new Uint8Array([
	112,
	115,
	107,
	95,
	105,
	100,
	95,
	104,
	97,
	115,
	104
]);
const LABEL_SECRET = new Uint8Array([
	115,
	101,
	99,
	114,
	101,
	116
]);
const SUITE_ID_HEADER_HPKE = new Uint8Array([
	72,
	80,
	75,
	69,
	0,
	0,
	0,
	0,
	0,
	0
]);
var CipherSuiteNative = class extends NativeAlgorithm {
	constructor(params) {
		super();
		Object.defineProperty(this, "_kem", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_kdf", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_aead", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		Object.defineProperty(this, "_suiteId", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: void 0
		});
		if (typeof params.kem === "number") throw new InvalidParamError("KemId cannot be used");
		this._kem = params.kem;
		if (typeof params.kdf === "number") throw new InvalidParamError("KdfId cannot be used");
		this._kdf = params.kdf;
		if (typeof params.aead === "number") throw new InvalidParamError("AeadId cannot be used");
		this._aead = params.aead;
		this._suiteId = new Uint8Array(SUITE_ID_HEADER_HPKE);
		this._suiteId.set(i2Osp(this._kem.id, 2), 4);
		this._suiteId.set(i2Osp(this._kdf.id, 2), 6);
		this._suiteId.set(i2Osp(this._aead.id, 2), 8);
		this._kdf.init(this._suiteId);
	}
	get kem() {
		return this._kem;
	}
	get kdf() {
		return this._kdf;
	}
	get aead() {
		return this._aead;
	}
	async createSenderContext(params) {
		this._validateInputLength(params);
		await this._setup();
		const dh = await this._kem.encap(params);
		let mode;
		if (params.psk !== void 0) mode = params.senderKey !== void 0 ? Mode.AuthPsk : Mode.Psk;
		else mode = params.senderKey !== void 0 ? Mode.Auth : Mode.Base;
		return await this._keyScheduleS(mode, dh.sharedSecret, dh.enc, params);
	}
	async createRecipientContext(params) {
		this._validateInputLength(params);
		await this._setup();
		const sharedSecret = await this._kem.decap(params);
		let mode;
		if (params.psk !== void 0) mode = params.senderPublicKey !== void 0 ? Mode.AuthPsk : Mode.Psk;
		else mode = params.senderPublicKey !== void 0 ? Mode.Auth : Mode.Base;
		return await this._keyScheduleR(mode, sharedSecret, params);
	}
	async seal(params, pt, aad = EMPTY.buffer) {
		const ctx = await this.createSenderContext(params);
		return {
			ct: await ctx.seal(pt, aad),
			enc: ctx.enc
		};
	}
	async open(params, ct, aad = EMPTY.buffer) {
		return await (await this.createRecipientContext(params)).open(ct, aad);
	}
	async _keySchedule(mode, sharedSecret, params) {
		const pskId = params.psk === void 0 ? EMPTY : toUint8Array(params.psk.id);
		const pskIdHash = await this._kdf.labeledExtract(EMPTY, LABEL_PSK_ID_HASH, pskId);
		const info = params.info === void 0 ? EMPTY : toUint8Array(params.info);
		const infoHash = await this._kdf.labeledExtract(EMPTY, LABEL_INFO_HASH, info);
		const keyScheduleContext = new Uint8Array(1 + pskIdHash.byteLength + infoHash.byteLength);
		keyScheduleContext.set(new Uint8Array([mode]), 0);
		keyScheduleContext.set(new Uint8Array(pskIdHash), 1);
		keyScheduleContext.set(new Uint8Array(infoHash), 1 + pskIdHash.byteLength);
		const psk = params.psk === void 0 ? EMPTY : toUint8Array(params.psk.key);
		const ikm = this._kdf.buildLabeledIkm(LABEL_SECRET, psk);
		const exporterSecretInfo = this._kdf.buildLabeledInfo(LABEL_EXP, keyScheduleContext, this._kdf.hashSize);
		const exporterSecret = await this._kdf.extractAndExpand(sharedSecret, ikm, exporterSecretInfo, this._kdf.hashSize);
		if (this._aead.id === AeadId.ExportOnly) return {
			aead: this._aead,
			exporterSecret
		};
		const keyInfo = this._kdf.buildLabeledInfo(LABEL_KEY, keyScheduleContext, this._aead.keySize);
		const key = await this._kdf.extractAndExpand(sharedSecret, ikm, keyInfo, this._aead.keySize);
		const baseNonceInfo = this._kdf.buildLabeledInfo(LABEL_BASE_NONCE, keyScheduleContext, this._aead.nonceSize);
		const baseNonce = await this._kdf.extractAndExpand(sharedSecret, ikm, baseNonceInfo, this._aead.nonceSize);
		return {
			aead: this._aead,
			exporterSecret,
			key,
			baseNonce: new Uint8Array(baseNonce),
			seq: 0
		};
	}
	async _keyScheduleS(mode, sharedSecret, enc, params) {
		const res = await this._keySchedule(mode, sharedSecret, params);
		if (res.key === void 0) return new SenderExporterContextImpl(this._api, this._kdf, res.exporterSecret, enc);
		return new SenderContextImpl(this._api, this._kdf, res, enc);
	}
	async _keyScheduleR(mode, sharedSecret, params) {
		const res = await this._keySchedule(mode, sharedSecret, params);
		if (res.key === void 0) return new RecipientExporterContextImpl(this._api, this._kdf, res.exporterSecret);
		return new RecipientContextImpl(this._api, this._kdf, res);
	}
	_validateInputLength(params) {
		if (params.info !== void 0 && params.info.byteLength > 268435456) throw new InvalidParamError("Too long info");
		if (params.psk !== void 0) {
			if (params.psk.key.byteLength < 32) throw new InvalidParamError(`PSK must have at least 32 bytes`);
			if (params.psk.key.byteLength > 8192) throw new InvalidParamError("Too long psk.key");
			if (params.psk.id.byteLength > 8192) throw new InvalidParamError("Too long psk.id");
		}
	}
};
// node_modules/@hpke/core/esm/src/kems/dhkemNative.js
var DhkemP256HkdfSha256Native = class extends Dhkem {
	constructor() {
		const kdf = new HkdfSha256Native();
		const prim = new Ec(KemId.DhkemP256HkdfSha256, kdf);
		super(KemId.DhkemP256HkdfSha256, prim, kdf);
		Object.defineProperty(this, "id", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: KemId.DhkemP256HkdfSha256
		});
		Object.defineProperty(this, "secretSize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 32
		});
		Object.defineProperty(this, "encSize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 65
		});
		Object.defineProperty(this, "publicKeySize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 65
		});
		Object.defineProperty(this, "privateKeySize", {
			enumerable: true,
			configurable: true,
			writable: true,
			value: 32
		});
	}
};
// node_modules/@hpke/core/esm/src/native.js
var CipherSuite = class extends CipherSuiteNative {};
var DhkemP256HkdfSha256 = class extends DhkemP256HkdfSha256Native {};
var HkdfSha256 = class extends HkdfSha256Native {};
// src/trust/tokens/suite.ts
const makeSuite = () => new CipherSuite({
	kem: new DhkemP256HkdfSha256(),
	kdf: new HkdfSha256(),
	aead: new Aes256Gcm()
});
const ownBuffer = (bytes) => {
	const copy = new ArrayBuffer(bytes.length);
	new Uint8Array(copy).set(bytes);
	return copy;
};
// src/trust/tokens/seal.ts
const sealToken = async ({ keys, kind, payload, now }) => {
	const key = keys.keys[0];
	if (key === void 0) throw new Error("The deployment publishes no key to seal with");
	const header = writeHeader({
		kind,
		keyId: keyIdOf(key.kid),
		issuedAtMs: now.getTime()
	});
	const suite = makeSuite();
	const { kty, crv, x, y } = key;
	const recipientPublicKey = await suite.kem.importKey("jwk", {
		kty,
		crv,
		x,
		y
	}, true);
	const sealed = await suite.seal({
		recipientPublicKey,
		info: ownBuffer(sealingInfo)
	}, ownBuffer(payload), ownBuffer(header));
	return encodeBase64([
		header,
		new Uint8Array(sealed.enc),
		new Uint8Array(sealed.ct)
	]);
};
const keyIdOf = (kid) => {
	const binary = atob(kid.replaceAll("-", "+").replaceAll("_", "/"));
	if (binary.length < 8) throw new Error("The key's kid is not an RFC 7638 thumbprint");
	return Uint8Array.from(binary.slice(0, 8), (character) => character.charCodeAt(0));
};
const encodeBase64 = (parts) => {
	const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let offset = 0;
	for (const part of parts) {
		joined.set(part, offset);
		offset += part.length;
	}
	let binary = "";
	for (let start = 0; start < joined.length; start += pieceBytes) binary += String.fromCharCode(...joined.subarray(start, start + pieceBytes));
	return btoa(binary);
};
const pieceBytes = 8192;
export { keyIdOf, sealToken };
