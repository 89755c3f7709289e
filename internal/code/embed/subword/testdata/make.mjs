// Writes the tokenizers of this folder, and into ids.json what the reference makes
// of some texts with them: npm install tokenizers && node make.mjs
import fs from 'node:fs'
import { createRequire } from 'node:module'

const { Tokenizer } = createRequire(process.cwd() + '/')('tokenizers')
const here = new URL('.', import.meta.url).pathname

const texts = [
  '', '  ', ' \t\n', 'open the file and read its lines', 'Open the FILE, then re-read it!', 'func main() { return err != nil }',
  'getUserById(user_id)  // a comment', 'naïve café Ünïcödé Straße İstanbul', '日本語 and 中文字符', '한국어 조선글 각', 'e\u0301a\u0308\u0323 \u0323a',
  'ﬁne ﬂow ½ ² Å Ω …', '😀 👩‍👩‍👧', 'a\u200bb\u00adc\ufeffd\u0378e\ue000f', 'a\u2028b\u0085c\u00a0d\u3000e', '[UNK] and [PAD]x',
  "don't DON'T we'll I've it's", 'x    y\n\n\n  z\r\n\r\n w  ', '__init__ a.b->c::d', '1234567 3.14 ١٢٣ Ⅷ', 'a'.repeat(101) + ' the',
  'the theatre there other', '\x00\x01\x7f\x1b[0m', '¿Qué? «x» “y”', '▁the ▁▁a', '$+<=>^`|~', 'ᾳ ΑΣ ς ǰ', 'नमस्ते ไทย',
]
const words = 'the a and open file read its line lines then it func main return err nil get user by id comment there other don t we ll in at is'.split(' ')
const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789']
const marks = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~']
const number = (list) => Object.fromEntries([...new Set(list)].map((w, i) => [w, i]))

const wordPiece = number(['[PAD]', '[UNK]', ...words, ...letters, ...marks, ...letters.map((c) => '##' + c), '##s', '##er', '##ing', '日', '본', 'ö'])
const added = (list) => list.map(([content, id, o]) => ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true, ...o }))
const special = added([['[PAD]', 0], ['[UNK]', 1]])
const scores = [['[PAD]', 0], ['[UNK]', 0], ...words.map((w, i) => ['▁' + w, -2 - i / 9]), ...letters.map((c, i) => [c, -5 - i / 7]),
  ...marks.map((c) => [c, -6]), ['▁', -4], ['th', -4.5], ['ere', -4.25], ['er', -5], ['▁open▁the▁file', -3]]
const byte = {}
for (let b = 0, n = 256; b < 256; b++) byte[b] = String.fromCharCode((b > 32 && b < 127) || (b > 160 && b !== 173) ? b : n++)
const merges = [['t', 'h'], ['th', 'e'], ['Ġ', 'the'], ['i', 'n'], ['e', 'r'], ['r', 'e'], ['Ġ', 'a'], ['Ġa', 'n'], ['Ġan', 'd'], ['Ġ', 'f'], ['Ġf', 'i'], ['l', 'e']]
const bytes = number([...Object.values(byte), ...merges.map((m) => m.join(''))])
const suffixed = number(['<unk>', ...letters, ...letters.map((c) => c + '</w>'), 'th', 'the</w>', 're', 'er</w>', '_'])
const suffixMerges = [['t', 'h'], ['th', 'e</w>'], ['r', 'e'], ['e', 'r</w>']]
const spread = marks.map((c) => ({ type: 'Replace', pattern: { String: c }, content: ` ${c} ` }))
const bert = { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true }
const seq = (...list) => ({ type: 'Sequence', normalizers: list, pretokenizers: list })
const metaspace = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false }
const WordPiece = { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100, vocab: wordPiece }
const Unigram = { type: 'Unigram', unk_id: 1, vocab: scores, byte_fallback: false }

// A double array for the two keys "é" and "ﬁ", whose first bytes are c3 and ef.
function charsMap() {
  const units = new Uint32Array(1024)
  const to = Buffer.from('E\0fi\0')
  const key = (b, base, value) => {
    let at = 0 ^ 1 // the root's base is 1
    units[0] = 1 << 10
    b.forEach((c, i) => {
      at ^= c
      units[at] = (c | (base[i] << 10) | (i === b.length - 1 ? 256 : 0)) >>> 0
      at ^= base[i]
    })
    units[at] = (value | (1 << 31)) >>> 0
  }
  key([...Buffer.from('é')], [256, 300], 0)
  key([...Buffer.from('ﬁ')], [512, 700, 900], 2)
  const head = Buffer.alloc(4)
  head.writeUInt32LE(units.byteLength)
  return Buffer.concat([head, Buffer.from(units.buffer), to]).toString('base64')
}

const files = {
  bert: [bert, { type: 'BertPreTokenizer' }, WordPiece, special],
  // As Model2Vec itself wrote it for a time: no words, only pieces with a mark.
  potion: [seq(bert, ...spread, { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' }, { type: 'Strip', strip_left: false, strip_right: true }),
    metaspace, Unigram, special],
  bytes: [null, { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true }, { type: 'BPE', vocab: bytes, merges: merges.map((m) => m.join(' ')) }, []],
  qwen: [{ type: 'NFC' }, seq({ type: 'Split', behavior: 'Isolated', invert: false, pattern: { Regex:
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+" } },
  { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false }), { type: 'BPE', ignore_merges: true, vocab: bytes, merges }, []],
  suffix: [{ type: 'Lowercase' }, { type: 'BertPreTokenizer' }, { type: 'BPE', unk_token: '<unk>', fuse_unk: true, end_of_word_suffix: '</w>', vocab: suffixed, merges: suffixMerges }, []],
  sentence: [seq({ type: 'Precompiled', precompiled_charsmap: charsMap() }, { type: 'Nmt' }, { type: 'NFKC' }, { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' }),
    seq({ type: 'WhitespaceSplit' }, { ...metaspace, prepend_scheme: 'first', split: true }), Unigram, special],
  words: [seq({ type: 'NFKD' }, { type: 'StripAccents' }, { type: 'Lowercase' }), seq({ type: 'Whitespace' }, { type: 'Digits', individual_digits: true }, { type: 'Punctuation', behavior: 'MergedWithPrevious' }),
    { type: 'WordLevel', vocab: wordPiece, unk_token: '[UNK]' },
    special.concat(added([['read its', 900, { normalized: true, single_word: true, lstrip: true }], ['err', 901, { normalized: true, rstrip: true }]]))],
}
files.words[3][2].id = Object.keys(wordPiece).length
files.words[3].pop() // "err" is a word already

const ids = {}
for (const [name, [normalizer, pre_tokenizer, model, added_tokens]] of Object.entries(files)) {
  const path = `${here}${name}.json`
  fs.writeFileSync(path, JSON.stringify({ version: '1.0', truncation: null, padding: null, added_tokens, normalizer, pre_tokenizer, post_processor: null, decoder: null, model }))
  const found = await Tokenizer.fromFile(path).encodeBatch(texts, { addSpecialTokens: false })
  ids[name] = found.map((e) => e.getIds())
}
const rows = texts.map((text, i) => JSON.stringify({ text, ids: Object.fromEntries(Object.keys(ids).map((n) => [n, ids[n][i]])) }))
fs.writeFileSync(here + 'ids.json', '[\n' + rows.join(',\n') + '\n]\n')
