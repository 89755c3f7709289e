package vm

import "time"

// openOS sets os.time, os.date, os.difftime, os.clock and os.getenv, those that the State
// has been given what they tell.
func (st *State) openOS() {
	t := st.NewTable(0, 4)
	if st.opts.Now != nil {
		st.fill(t, "time date difftime", osTime, osDate, osDifftime)
	}
	if st.opts.Clock != nil {
		st.fill(t, "clock", func(c Call) int { return c.Return(Float(c.th.st.opts.Clock().Seconds())) })
	}
	if st.opts.Getenv != nil {
		st.fill(t, "getenv", osGetenv)
	}
	if len(t.nodes) > 0 {
		st.SetGlobal("os", t.Of())
	}
}

func osGetenv(c Call) int {
	if s, ok := c.th.st.opts.Getenv(c.Str(1)); ok {
		return c.Return(c.NewString(s))
	}
	return c.Return(Nil)
}

func osDifftime(c Call) int { return c.Return(Float(c.Float(1) - c.Float(2))) }

func osTime(c Call) int {
	if c.Arg(1).IsNil() {
		return c.Return(Int(c.th.st.opts.Now().Unix()))
	}
	t := c.Table(1)
	field := func(name string, def int64) int {
		v := t.GetField(name)
		n, ok := toInt(v)
		switch {
		case ok && n == int64(int32(n)):
			return int(n)
		case ok:
			c.Fail("field '%s' is out-of-bound", name)
		case v.p != nil:
			c.Fail("field '%s' is not an integer", name)
		case def < 0:
			c.Fail("field '%s' missing in date table", name)
		}
		return int(def)
	}
	year, month, day := field("year", -1), field("month", -1), field("day", -1)
	hour, minute, sec := field("hour", 12), field("min", 0), field("sec", 0)
	at := time.Date(year, time.Month(month), day, hour, minute, sec, 0, c.th.st.opts.Now().Location())
	c.setDate(t, at)
	return c.Return(Int(at.Unix()))
}

func (c Call) setDate(t *Table, at time.Time) {
	st := c.th.st
	for name, n := range map[string]int{
		"year": at.Year(), "month": int(at.Month()), "day": at.Day(), "hour": at.Hour(), "min": at.Minute(), "sec": at.Second(),
		"yday": at.YearDay(), "wday": int(at.Weekday()) + 1,
	} {
		st.set(t, name, Int(int64(n)))
	}
	st.set(t, "isdst", Bool(at.IsDST()))
}

func osDate(c Call) int {
	format := c.OptStr(1, "%c")
	at := c.th.st.opts.Now()
	if !c.Arg(2).IsNil() {
		at = time.Unix(c.Int(2), 0).In(at.Location())
	}
	if format != "" && format[0] == '!' {
		at, format = at.UTC(), format[1:]
	}
	if len(format) >= 2 && format[:2] == "*t" {
		t := c.th.st.NewTable(0, 9)
		c.setDate(t, at)
		return c.Return(t.Of())
	}
	var b []byte
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b = append(b, format[i])
			continue
		}
		i++
		layout, ok := "", i < len(format)
		if ok {
			layout, ok = dateLayouts[format[i]]
		}
		switch {
		case !ok:
			c.Bad(1, "invalid conversion specifier '%s'", format[i-1:min(i+1, len(format))])
		case layout != "":
			b = at.AppendFormat(b, layout)
		default:
			b = appendDate(b, at, format[i])
		}
	}
	return c.Return(c.Bytes(b))
}

// dateLayouts are the layouts of conversions; of one that is "", appendDate writes.
var dateLayouts = map[byte]string{
	'a': "Mon", 'A': "Monday", 'b': "Jan", 'h': "Jan", 'B': "January", 'c': "Mon Jan _2 15:04:05 2006", 'd': "02", 'D': "01/02/06",
	'x': "01/02/06", 'e': "_2", 'F': "2006-01-02", 'H': "15", 'I': "03", 'j': "002", 'm': "01", 'M': "04", 'p': "PM", 'r': "03:04:05 PM",
	'R': "15:04", 'S': "05", 'T': "15:04:05", 'X': "15:04:05", 'y': "06", 'Y': "2006", 'z': "-0700", 'Z': "MST",
	'n': "", 't': "", '%': "", 'u': "", 'w': "", 'C': "", 'G': "", 'g': "", 'V': "", 'U': "", 'W': "", 's': "",
}

func appendDate(b []byte, at time.Time, f byte) []byte {
	two := func(n int) []byte { return append(b, byte('0'+n/10%10), byte('0'+n%10)) }
	year, week := at.ISOWeek()
	switch f {
	case 'n':
		return append(b, '\n')
	case 't':
		return append(b, '\t')
	case '%':
		return append(b, '%')
	case 'u':
		return append(b, byte('0'+(int(at.Weekday())+6)%7+1))
	case 'w':
		return append(b, byte('0'+int(at.Weekday())))
	case 'C':
		return two(at.Year() / 100)
	case 'G':
		return appendNumber(b, Int(int64(year)))
	case 'g':
		return two(year % 100)
	case 'V':
		return two(week)
	case 'U':
		return two((at.YearDay() + 6 - int(at.Weekday())) / 7)
	case 'W':
		return two((at.YearDay() + 6 - (int(at.Weekday())+6)%7) / 7)
	}
	return appendNumber(b, Int(at.Unix()))
}
