package embed

import (
	"cmp"
	"errors"
	"fmt"
)

const openAIAddress = "https://api.openai.com/v1"

// openAIDims returns the dimensions of a model of OpenAI's; 0 for one that is not
// supported (platform.openai.com/docs/guides/embeddings).
func openAIDims(model string) int {
	switch model {
	case "text-embedding-3-small":
		return 1536
	case "text-embedding-3-large":
		return 3072
	}
	return 0
}

const openAIModel = "text-embedding-3-small"

// OpenAI returns what the provider openai comes to with a model, or without one.
func OpenAI(model string) (address, name string, dims int) {
	name = cmp.Or(model, openAIModel)
	return openAIAddress, name, openAIDims(name)
}

// openOpenAI returns OpenAI's own service. Unlike a compatible one it has one
// address: a key of OpenAI's goes nowhere else.
func openOpenAI(cfg Config) (*remote, error) {
	cfg.Model = cmp.Or(cfg.Model, openAIModel)
	most := openAIDims(cfg.Model)
	switch {
	case most == 0:
		return nil, fmt.Errorf("openai has no embedding model %q here: set embed.model to text-embedding-3-small or text-embedding-3-large, or omit it", cfg.Model)
	case cfg.Dims > most:
		return nil, fmt.Errorf("%s has %d dimensions, and %d are asked for: set embed.dims to 0 or less than that", cfg.Model, most, cfg.Dims)
	case cfg.URL != "":
		return nil, errors.New("openai has an address of its own, and embed.url is set: take that out, or set embed.provider to openai-compatible")
	case cfg.Key == "":
		return nil, errors.New("openai wants a key, and there is none: put it into OPENAI_API_KEY, or into another variable and that one's name into embed.key_env")
	}
	cfg.URL = openAIAddress
	r, err := openRemote(cfg)
	if err != nil {
		return nil, err
	}
	if r.want == 0 {
		r.want = most
		r.dims.Store(int64(most))
	}
	return r, nil
}
