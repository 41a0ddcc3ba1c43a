package docker

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/docker/cli/cli/connhelper"
	"github.com/docker/docker/client"
	"github.com/docker/go-connections/sockets"
	"github.com/docker/go-connections/tlsconfig"
)

// endpoint says where an engine answers.
type endpoint struct {
	host     string // as DOCKER_HOST has it
	keys     string // directory of ca.pem, cert.pem and key.pem; "" means no TLS
	insecure bool   // the engine's certificate is not checked
	from     string // who named the engine, for people; "" means nobody did
}

// find looks for the engine where the docker command looks: DOCKER_HOST, DOCKER_CONTEXT,
// the current context, the usual socket. If nobody names an engine and the usual socket is
// missing, find takes the first socket there is of a rootless Docker, Docker Desktop,
// Colima, OrbStack, Rancher Desktop or Podman.
func find() (endpoint, error) {
	if host := os.Getenv(client.EnvOverrideHost); host != "" {
		return endpoint{host: host, from: client.EnvOverrideHost}, nil
	}
	name, from := os.Getenv("DOCKER_CONTEXT"), "DOCKER_CONTEXT"
	if name == "" {
		file := filepath.Join(configDir(), "config.json")
		var cfg struct{ CurrentContext string }
		if err := readJSON(file, &cfg); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return endpoint{}, err
		}
		name, from = cfg.CurrentContext, file
	}
	if name != "" && name != "default" {
		return contextNamed(name, from)
	}
	return endpoint{host: first(append([]string{client.DefaultDockerHost}, others()...))}, nil
}

// first gives the first address at which there is a socket, else the first address.
func first(addresses []string) string {
	for _, a := range addresses {
		if info, err := os.Stat(strings.TrimPrefix(a, "unix://")); err == nil && info.Mode()&fs.ModeSocket != 0 {
			return a
		}
	}
	return addresses[0]
}

// others are the addresses of engines that nobody named.
func others() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	run, config := os.Getenv("XDG_RUNTIME_DIR"), os.Getenv("XDG_CONFIG_HOME")
	if run == "" {
		run = fmt.Sprintf("/run/user/%d", os.Getuid())
	}
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	var all []string
	for _, socket := range []string{
		filepath.Join(run, "docker.sock"),
		filepath.Join(home, ".docker/desktop/docker.sock"),
		filepath.Join(home, ".docker/run/docker.sock"),
		filepath.Join(home, ".colima/default/docker.sock"),
		filepath.Join(config, "colima/default/docker.sock"),
		filepath.Join(home, ".orbstack/run/docker.sock"),
		filepath.Join(home, ".rd/docker.sock"),
		filepath.Join(run, "podman/podman.sock"),
		"/run/podman/podman.sock",
	} {
		all = append(all, "unix://"+socket)
	}
	return all
}

// configDir is the directory of the docker command's settings.
func configDir() string {
	if dir := os.Getenv("DOCKER_CONFIG"); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ".docker"
	}
	return filepath.Join(home, ".docker")
}

// contextNamed reads a context as the docker command stores it.
func contextNamed(name, from string) (endpoint, error) {
	sum := sha256.Sum256([]byte(name))
	id := hex.EncodeToString(sum[:])
	var stored struct {
		Endpoints map[string]struct {
			Host          string
			SkipTLSVerify bool
		}
	}
	err := readJSON(filepath.Join(configDir(), "contexts/meta", id, "meta.json"), &stored)
	if errors.Is(err, fs.ErrNotExist) {
		return endpoint{}, fmt.Errorf("there is no context %q, which %s names", name, from)
	}
	if err != nil {
		return endpoint{}, err
	}
	e := endpoint{host: stored.Endpoints["docker"].Host, insecure: stored.Endpoints["docker"].SkipTLSVerify, from: "context " + name}
	if e.host == "" {
		return endpoint{}, fmt.Errorf("the context %q names no engine", name)
	}
	keys := filepath.Join(configDir(), "contexts/tls", id, "docker")
	if _, err := os.Stat(keys); err == nil {
		e.keys = keys
	}
	return e, nil
}

func readJSON(file string, to any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

// client makes a client. It opens no connection.
func (e endpoint) client() (*client.Client, error) {
	opts := []client.Opt{client.WithAPIVersionNegotiation(), client.WithVersionFromEnv()}
	helper, err := connhelper.GetConnectionHelper(e.host)
	switch {
	case err != nil:
		return nil, err
	case helper != nil: // ssh
		opts = append(opts,
			client.WithHTTPClient(&http.Client{Transport: &http.Transport{DialContext: helper.Dialer}}),
			client.WithHost(helper.Host), client.WithDialContext(helper.Dialer))
	case e.from == client.EnvOverrideHost:
		opts = append(opts, client.FromEnv)
	case e.keys != "" || e.insecure:
		transport, err := e.transport()
		if err != nil {
			return nil, err
		}
		opts = append(opts, client.WithHTTPClient(&http.Client{Transport: transport}), client.WithHost(e.host))
	default:
		opts = append(opts, client.WithHost(e.host))
	}
	return client.NewClientWithOpts(opts...)
}

// transport speaks TLS with the keys of a context.
func (e endpoint) transport() (*http.Transport, error) {
	file := func(name string) string {
		path := filepath.Join(e.keys, name)
		if _, err := os.Stat(path); e.keys == "" || err != nil {
			return ""
		}
		return path
	}
	cfg, err := tlsconfig.Client(tlsconfig.Options{
		CAFile: file("ca.pem"), CertFile: file("cert.pem"), KeyFile: file("key.pem"), InsecureSkipVerify: e.insecure, ExclusiveRootPools: true,
	})
	if err != nil {
		return nil, fmt.Errorf("read the keys of the %s: %w", e.from, err)
	}
	u, err := client.ParseHostURL(e.host)
	if err != nil {
		return nil, err
	}
	t := &http.Transport{TLSClientConfig: cfg}
	return t, sockets.ConfigureTransport(t, u.Scheme, u.Host)
}

// proxies are the proxies of the environment, else those that the docker command's
// settings name for containers, as build arguments.
func proxies() (map[string]*string, error) {
	var cfg struct {
		Proxies map[string]map[string]string
	}
	file := filepath.Join(configDir(), "config.json")
	if err := readJSON(file, &cfg); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	args := map[string]*string{}
	for name, stored := range map[string]string{
		"HTTP_PROXY": "httpProxy", "HTTPS_PROXY": "httpsProxy", "FTP_PROXY": "ftpProxy", "ALL_PROXY": "allProxy", "NO_PROXY": "noProxy",
	} {
		for _, value := range []string{os.Getenv(name), os.Getenv(strings.ToLower(name)), cfg.Proxies["default"][stored]} {
			if value != "" {
				args[name], args[strings.ToLower(name)] = &value, &value
				break
			}
		}
	}
	return args, nil
}
