package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/assay-dev/assay/internal/base/safe"
)

// published is the folder of the run that is part of the study.
const published = "2026-11-29"

// A table is a scored run.
type table struct {
	Kinds     []kindRows `json:"kinds"`
	Tasks     []taskRow  `json:"tasks"`
	MoreCalls []string   `json:"more_calls"` // tasks in which assay needed more calls
	MoreBytes []string   `json:"more_bytes"`
	Missing   []string   `json:"missing"` // tasks without a run in both arms, which are in no row
}

// A kindRows has the measures of one kind of task.
type kindRows struct {
	Kind  string       `json:"kind"`
	Tasks int          `json:"tasks"`
	Rows  []measureRow `json:"measures"`
}

// A measureRow compares the arms by one measure.
type measureRow struct {
	Measure    string   `json:"measure"`
	Tasks      int      `json:"tasks"` // that have it
	Text       spread   `json:"text"`
	Assay      spread   `json:"assay"`
	Difference interval `json:"difference"` // assay minus text
}

// A spread describes the values of several tasks.
type spread struct {
	Mean  float64 `json:"mean"`
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
}

// An interval is a mean of pairs and its 95 % confidence interval. A single pair has none.
type interval struct {
	Mean float64  `json:"mean"`
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// A taskRow has the values of one task.
type taskRow struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Text  values `json:"text"`
	Assay values `json:"assay"`
}

// measures lists the rows of the table in their order.
func measures() []string {
	return []string{filesFound, filesRight, firstRight, functionFound, sitesFound, testsFound, factsFound,
		callCount, byteCount, milliCount, agentSeconds, agentTokens}
}

// runScore prints the table of a run.
func runScore(_ context.Context, args []string, w io.Writer) error {
	set := flag.NewFlagSet("score", flag.ContinueOnError)
	out := set.String("out", "", "folder of the run (default: the published run of "+published+")")
	asJSON := set.Bool("json", false, "print JSON")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return errors.New("usage: agents score [-out DIR] [-json]")
	}
	answers, calls, err := readScored(*out)
	if err != nil {
		return err
	}
	t, err := score(answers, calls)
	if err != nil {
		return err
	}
	if *asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(t)
	}
	t.write(w)
	return nil
}

// readScored reads a run: the published one if dir is empty.
func readScored(dir string) (answers []answer, calls []call, err error) {
	if dir == "" {
		if answers, err = embedded[answer](published + "/" + answersFile); err != nil {
			return nil, nil, err
		}
		calls, err = embedded[call](published + "/" + callsFile)
		return answers, calls, err
	}
	root, err := safe.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	if answers, err = readRun[answer](root, answersFile); err != nil {
		return nil, nil, err
	}
	calls, err = readRun[call](root, callsFile)
	return answers, calls, err
}

// An attempt is one run of a task in an arm.
type attempt struct {
	arm, task string
	run       int
}

// gradeAttempts returns the values of every attempt. An attempt with calls and without an answer counts as a wrong answer.
func gradeAttempts(truths []truth, answers []answer, calls []call) (map[attempt]values, error) {
	byID := map[string]truth{}
	for _, t := range truths {
		byID[t.ID] = t
	}
	answerTo := map[attempt]answer{}
	costs := map[attempt]call{}
	for _, a := range answers {
		answerTo[attempt{a.Arm, a.ID, a.Run}] = a // the last one counts
	}
	for _, c := range calls {
		at := attempt{c.Arm, c.Task, c.Run}
		sum := costs[at]
		costs[at] = call{Calls: sum.Calls + c.Calls, Bytes: sum.Bytes + c.Bytes, Millis: sum.Millis + c.Millis}
		if _, ok := answerTo[at]; !ok {
			answerTo[at] = answer{ID: c.Task}
		}
	}
	out := map[attempt]values{}
	for at, a := range answerTo {
		t, ok := byID[at.task]
		if !ok {
			return nil, fmt.Errorf("no task %q", at.task)
		}
		v, c := grade(t, a), costs[at]
		v[callCount], v[byteCount], v[milliCount] = float64(c.Calls), float64(c.Bytes), float64(c.Millis)
		if a.Seconds > 0 {
			v[agentSeconds] = a.Seconds
		}
		if a.Tokens > 0 {
			v[agentTokens] = float64(a.Tokens)
		}
		out[at] = v
	}
	return out, nil
}

// score makes the table of a run. Repetitions of a task are averaged first, so that each task counts once.
func score(answers []answer, calls []call) (table, error) {
	tasks, err := embedded[task]("tasks.jsonl")
	if err != nil {
		return table{}, err
	}
	truths, err := embedded[truth]("truth.jsonl")
	if err != nil {
		return table{}, err
	}
	attempts, err := gradeAttempts(truths, answers, calls)
	if err != nil {
		return table{}, err
	}
	var t table
	for _, k := range tasks {
		row := taskRow{k.ID, k.Kind, average(attempts, textArm, k.ID), average(attempts, assayArm, k.ID)}
		if row.Text == nil || row.Assay == nil {
			t.Missing = append(t.Missing, k.ID)
			continue
		}
		t.Tasks = append(t.Tasks, row)
		if row.Assay[callCount] > row.Text[callCount] {
			t.MoreCalls = append(t.MoreCalls, k.ID)
		}
		if row.Assay[byteCount] > row.Text[byteCount] {
			t.MoreBytes = append(t.MoreBytes, k.ID)
		}
	}
	for _, kind := range append(kinds(), "ALL") {
		rows := slices.DeleteFunc(slices.Clone(t.Tasks), func(r taskRow) bool { return kind != "ALL" && r.Kind != kind })
		if len(rows) > 0 {
			t.Kinds = append(t.Kinds, compareArms(kind, rows))
		}
	}
	return t, nil
}

// average returns the mean values of the repetitions of a task, or nil without any.
func average(attempts map[attempt]values, arm, task string) values {
	sum, count := values{}, map[string]int{}
	for at, v := range attempts {
		if at.arm == arm && at.task == task {
			for name, x := range v {
				sum[name] += x
				count[name]++
			}
		}
	}
	if len(sum) == 0 {
		return nil
	}
	for name := range sum {
		sum[name] /= float64(count[name])
	}
	return sum
}

// compareArms makes the rows of one kind of task.
func compareArms(kind string, tasks []taskRow) kindRows {
	k := kindRows{Kind: kind, Tasks: len(tasks)}
	for _, m := range measures() {
		var text, assay, less []float64
		for _, t := range tasks {
			x, inText := t.Text[m]
			y, inAssay := t.Assay[m]
			if inText && inAssay {
				text, assay, less = append(text, x), append(assay, y), append(less, y-x)
			}
		}
		if len(text) > 0 {
			k.Rows = append(k.Rows, measureRow{m, len(text), spreadOf(text), spreadOf(assay), intervalOf(less)})
		}
	}
	return k
}

func mean(xs []float64) (m float64) {
	for _, x := range xs {
		m += x / float64(len(xs))
	}
	return m
}

func spreadOf(xs []float64) spread { return spread{mean(xs), slices.Min(xs), slices.Max(xs)} }

// intervalOf returns the mean of pairs with Student's 95 % interval.
func intervalOf(xs []float64) interval {
	m := mean(xs)
	if len(xs) < 2 {
		return interval{Mean: m}
	}
	var squares float64
	for _, x := range xs {
		squares += (x - m) * (x - m)
	}
	n := float64(len(xs))
	half := studentT(len(xs)-1) * math.Sqrt(squares/(n-1)/n)
	low, high := m-half, m+half
	return interval{m, &low, &high}
}

// studentT returns the .975 quantile of Student's t distribution by degrees of freedom, from the printed tables up to 10
// and from there by the expansion of Cornish and Fisher (Abramowitz & Stegun 26.7.5), which differs by less than .001.
func studentT(df int) float64 {
	small := []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if df <= len(small) {
		return small[df-1]
	}
	const z = 1.959964
	n := float64(df)
	z3 := z * z * z
	z5, z7 := z3*z*z, z3*z3*z
	return z + (z3+z)/4/n + (5*z5+16*z3+3*z)/96/n/n + (3*z7+19*z5+17*z3-15*z)/384/n/n/n
}
