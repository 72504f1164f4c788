# Reads forms with Rack. Usage: ruby server.rb PORT
require "json"
require "rack"
require "rack/handler/webrick"

def part(name, content, filename = nil, type = nil)
  { name: name, filename: filename, type: type, content: [content].pack("m0") }
end

app = lambda do |env|
  parts = Rack::Request.new(env).POST.map do |name, value|
    if value.is_a?(Hash)
      part(name, value[:tempfile].read, value[:filename], value[:type])
    else
      part(name, value.to_s)
    end
  end
  [200, { "Content-Type" => "application/json" }, [JSON.generate(version: Rack.release, parts: parts)]]
rescue EOFError, ArgumentError, Rack::Utils::InvalidParameterError => error
  [400, { "Content-Type" => "text/plain" }, [error.message]]
end

Rack::Handler::WEBrick.run(app, Host: "127.0.0.1", Port: ARGV[0].to_i, AccessLog: [])
