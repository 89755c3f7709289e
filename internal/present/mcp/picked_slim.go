//go:build slim

package mcp

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/present/op"
)

// This build has tools alone.

func (r *runner) offered() *mcp.ServerCapabilities {
	return &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
}

func (r *runner) addPicked(*mcp.Server, op.Op, op.Tool) {}

func (r *runner) complete(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return nil, nil
}

func tidyURI(*string) error { return nil }
