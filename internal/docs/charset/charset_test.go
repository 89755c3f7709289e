package charset

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

const (
	russian   = "Документация библиотеки: как открыть файл и прочитать строки. Функция возвращает ошибку, если файла нет."
	japaneseT = "このライブラリはファイルを開いて、行を読むための関数を提供します。エラーが発生した場合は例外を返します。"
	chinese   = "本库提供打开文件和读取行的函数。如果文件不存在，函数会返回错误。请先安装依赖，然后运行测试。"
	taiwanese = "本函式庫提供開啟檔案與讀取資料列的函式。如果檔案不存在，函式會傳回錯誤。請先安裝相依套件，然後執行測試。"
	koreanT   = "이 라이브러리는 파일을 열고 줄을 읽는 함수를 제공합니다. 파일이 없으면 오류를 반환합니다."
	french    = "Cette bibliothèque ouvre des fichiers déjà créés, et lève une exception si le délai est dépassé."
	german    = "Öffnet eine Datei und gibt die Größe zurück; für Fehler wird eine Ausnahme ausgelöst."
)

func encode(t *testing.T, of encoding.Encoding, s string) []byte {
	t.Helper()
	out, err := of.NewEncoder().Bytes([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name, text, before, server string
		of                         encoding.Encoding
		want                       Reading
	}{
		{"UTF-8", russian, "", "", encoding.Nop, Reading{}},
		{"UTF-8 that is declared otherwise", russian, `<meta charset="windows-1251">`, "", encoding.Nop, Reading{}},
		{"UTF-16", russian, "", "", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), Reading{Encoding: "utf-16le"}},
		{"by the server", "naïve café", "", "iso-8859-15", charmap.ISO8859_15, Reading{Encoding: "iso-8859-15"}},
		{"by meta", japaneseT, `<html><head><meta charset=Shift_JIS>`, "", japanese.ShiftJIS, Reading{Encoding: "shift_jis"}},
		{"by http-equiv", russian, `<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">`, "", charmap.KOI8R, Reading{Encoding: "koi8-r"}},
		{"by XML", "Příliš žluťoučký kůň", `<?xml version="1.0" encoding="ISO-8859-2"?>`, "", charmap.ISO8859_2, Reading{Encoding: "iso-8859-2"}},
		{"by PEP 263", "größe", "# -*- coding: latin-1 -*-\n", "", charmap.ISO8859_1, Reading{Encoding: "windows-1252"}},
		{"in escapes", japaneseT, `<meta charset="iso-2022-jp">`, "", japanese.ISO2022JP, Reading{Encoding: "iso-2022-jp"}},
		{"Russian", russian, "# Title\n\n", "", charmap.Windows1251, Reading{Encoding: "windows-1251", Guessed: true}},
		{"Russian in KOI8-R", russian, "# Title\n\n", "", charmap.KOI8R, Reading{Encoding: "koi8-r", Guessed: true}},
		{"Japanese", japaneseT, "# Title\n\n", "", japanese.ShiftJIS, Reading{Encoding: "shift_jis", Guessed: true}},
		{"Japanese in EUC", japaneseT, "# Title\n\n", "", japanese.EUCJP, Reading{Encoding: "euc-jp", Guessed: true}},
		{"Chinese", chinese, "# Title\n\n", "", simplifiedchinese.GBK, Reading{Encoding: "gbk", Guessed: true}},
		{"Chinese in Big5", taiwanese, "# Title\n\n", "", traditionalchinese.Big5, Reading{Encoding: "big5", Guessed: true}},
		{"Korean", koreanT, "# Title\n\n", "", korean.EUCKR, Reading{Encoding: "euc-kr", Guessed: true}},
		{"French", french, "# Title\n\n", "", charmap.ISO8859_1, Reading{Encoding: "windows-1252", Guessed: true}},
		{"German", german, "# Title\n\n", "", charmap.Windows1252, Reading{Encoding: "windows-1252", Guessed: true}},
		{"an unknown encoding", french, `<meta charset="x-none">`, "", charmap.ISO8859_1, Reading{Encoding: "windows-1252", Guessed: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			said, got := Decode(encode(t, c.of, c.before+c.text), c.server)
			if got != c.want || string(said) != c.before+c.text {
				t.Errorf("%+v, want %+v: %.200q", got, c.want, said)
			}
		})
	}
	for name, raw := range map[string]string{"no text": "\x00\x01\xff\xfe\x80", "half a text": "abc \x81\x8d\x8f \xff"} {
		t.Run(name, func(t *testing.T) {
			if said, got := Decode([]byte(raw), ""); !got.Unknown || string(said) != raw {
				t.Errorf("%+v: %q", got, said)
			}
		})
	}
}

// Whatever the bytes are, a text whose encoding is named is UTF-8.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("<meta charset=gbk>\xb1\xbe"), "")
	f.Add([]byte("\xff\xfea\x00"), "big5")
	f.Fuzz(func(t *testing.T, raw []byte, declared string) {
		said, got := Decode(raw, declared)
		if got.Encoding != "" && !utf8.Valid(said) || got.Encoding == "" && string(said) != string(raw) {
			t.Fatalf("%+v of %q: %q", got, raw, said)
		}
		if len(said) > 4*len(raw)+3 && !strings.HasPrefix(got.Encoding, "utf-16") {
			t.Fatalf("%d bytes of %d", len(said), len(raw))
		}
	})
}
