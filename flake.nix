{
  description = "Local context engine for coding agents";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: rec {
        default = assay;
        assay = pkgs.buildGoModule {
          pname = "assay";
          version = "0.1.0";
          src = self;
          postPatch = "rm go.work go.work.sum"; # modules are not vendored in a workspace
          # What `go run ./eval/release -nix` says, after go.sum has changed.
          vendorHash = "sha256-lDS3LejL0IwW0iKU7q/LRkWHDqVa4YxFEjrZ/6AP4es=";
          subPackages = [ "cmd/assay" ];
          env.CGO_ENABLED = 0;
          ldflags = [ "-s" "-w" ];
          doCheck = false; # CI runs the tests
          postInstall = ''
            $out/bin/assay completion man > assay.1
            install -Dm644 assay.1 $out/share/man/man1/assay.1
          '';
          meta = {
            description = "Local context engine for coding agents";
            homepage = "https://github.com/assay-dev/assay";
            license = pkgs.lib.licenses.asl20;
            mainProgram = "assay";
          };
        };
      });
    };
}
