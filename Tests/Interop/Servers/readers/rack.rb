# Reads nested names with Rack. Usage: ruby rack.rb PORT
require "json"
require "rack"
require "rack/handler/webrick"

app = lambda do |env|
  answer = JSON.generate(version: "rack #{Rack.release}", value: Rack::Request.new(env).POST)
  [200, { "Content-Type" => "application/json" }, [answer]]
rescue EOFError, Rack::QueryParser::ParameterTypeError => error
  [400, { "Content-Type" => "text/plain" }, [error.message]]
end

Rack::Handler::WEBrick.run(app, Host: "127.0.0.1", Port: ARGV[0].to_i, AccessLog: [])
